import { compare, farthest } from './compare-pixels.ts'
import { ask, PYTHON, type Pixels, type Tags } from './programs.ts'
import { textOf } from './words-of-picture.ts'

/** How an animation plays, by programs that know its type. */
export interface Animation {
  path: string
  type: string
  /** By exiftool where `times` is null. */
  frames: number
  /** How long each frame is shown, in ms; null where no program can tell. */
  times: readonly number[] | null
  /** How often it plays; null for a type that no program was asked about. */
  plays: number | null
}

export async function openAnimation(path: string, type: string, tags: Tags): Promise<Animation> {
  switch (type) {
    case 'GIF': {
      const times = await gifTimes(path)
      return { path, type, times, frames: times?.length ?? 1, plays: playsOf(tags['GIF:AnimationIterations']) }
    }
    case 'WEBP': {
      const { times, plays } = await askWebpmux(path)
      return { path, type, times, frames: times?.length ?? 1, plays }
    }
    default:
      return { path, type, times: null, frames: 1, plays: null }
  }
}

/** By exiftool; a GIF that does not say it plays once. */
function playsOf(said: Tags[string] | undefined): number {
  const text = textOf(said)
  return /^inf/i.test(text) ? Infinity : Number(text || 1)
}

/** By ImageMagick, which counts in hundredths of a second. */
async function gifTimes(path: string): Promise<number[] | null> {
  const { status, words } = await ask('identify', ['-format', '%T ', path])
  if (status !== 0 || !/^[\d ]+$/.test(words)) return null
  return Array.from(words.trim().split(' '), (ticks) => Number(ticks) * 10)
}

/** One frame without a time for a still. exiftool reads one byte of how often it plays. */
async function askWebpmux(path: string): Promise<Pick<Animation, 'times' | 'plays'>> {
  const { status, words } = await ask('webpmux', ['-info', path])
  if (status !== 0) return { times: null, plays: null }
  const rows = [...words.matchAll(/^ *\d+: +\d+ +\d+ +\w+ +\d+ +\d+ +(\d+) /gm)]
  const plays = Number(/Loop Count : (\d+)/.exec(words)?.[1] ?? 1)
  return { times: rows.length === 0 ? [0] : rows.map(([, ms]) => Number(ms)), plays: plays || Infinity }
}

/** One frame of an animation with all that is seen of those before it. */
interface SeenFrame {
  ms: number
  /** The most that any channel of any pixel differs from the frame before, 0 to 255. */
  step: number
  look: Pixels
}

const LOOK_SIDE = 32
const FRAMES_BY_PILLOW = `
import base64, json, sys
from PIL import Image, ImageChops
picture = Image.open(sys.argv[1])
before = None
for n in range(getattr(picture, 'n_frames', 1)):
    picture.seek(n)
    picture.load()
    if n == 0 and picture.info.get('default_image'): continue
    seen = picture.convert('RGBA')
    plain = Image.frombytes('RGBA', seen.size, seen.convert('RGBa').tobytes())
    step = 0 if before is None else max(high for _, high in ImageChops.difference(before, plain).getextrema())
    look = base64.b64encode(seen.resize((${LOOK_SIDE}, ${LOOK_SIDE}), Image.BOX).tobytes()).decode()
    print(json.dumps({'ms': picture.info.get('duration', 0), 'step': step, 'look': look}))
    before = plain
`

async function framesByPillow(path: string): Promise<SeenFrame[] | null> {
  const { status, words } = await ask(PYTHON, ['-W', 'ignore', '-c', FRAMES_BY_PILLOW, path])
  if (status !== 0) return null
  return words.split('\n').map((line) => {
    const { ms, step, look } = JSON.parse(line) as { ms: number; step: number; look: string }
    const data = new Uint8Array(Buffer.from(look, 'base64'))
    return { ms, step, look: { width: LOOK_SIDE, height: LOOK_SIDE, channels: 4, data } }
  })
}

/** Pillow rounds each of many near-clear layers. */
const MAX_ROUNDING = 3

/** Whether all frames of an animation look the same: as ffmpeg plays it, unless it leaves some out, or as Pillow does. */
async function showsOnePicture({ path, frames }: Animation): Promise<boolean> {
  const options = ['-nostdin', '-v', 'error', '-i', path, '-vsync', 'passthrough', '-f', 'framemd5', '-']
  const { status, words } = await ask('ffmpeg', options)
  const looks = [...words.matchAll(/^\d.* ([0-9a-f]{32})$/gm)].map(([, hash]) => hash)
  if (status === 0 && looks.length === frames && new Set(looks).size === 1) return true
  const seen = await framesByPillow(path)
  return seen?.length === frames && seen.every(({ step }) => step <= MAX_ROUNDING)
}

/** Browsers show frames without a time, or with one of 10 ms, for 100 ms. */
const shownMs = (ms: number): number => (ms <= 10 ? 100 : ms)
const sum = (times: readonly number[]): number => times.reduce((all, ms) => all + shownMs(ms), 0)

/** What is wrong with the frames of a result, and with their times; what was not asked, and why. */
export interface AnimationJudged {
  frames: string | null
  /** Undefined where it was not asked. */
  timing?: string | null
  notJudged: string[]
}

/** Null for a still original. */
export async function judgeAnimation(original: Animation, result: Animation): Promise<AnimationJudged | null> {
  if (original.frames <= 1) return null
  if (result.frames <= 1) {
    const isStill = original.type === 'GIF' && (await showsOnePicture(original))
    return { frames: isStill ? null : `${original.frames} frames became a still`, notJudged: [] }
  }
  if (result.frames > original.frames)
    return { frames: `${original.frames} frames became ${result.frames}`, notJudged: [] }
  if (original.times === null || result.times === null)
    return { frames: null, notJudged: [`timing: of ${original.type} by no judge`] }
  const [before, after] = [sum(original.times), sum(result.times)]
  // Equal frames may be merged: then they are shown for as long together.
  const isSameTime = Math.abs(before - after) <= original.frames
  const timing = isSameTime ? whyPlayedOtherwise(original, result) : `${before} ms became ${after} ms`
  const [seen, made] = await Promise.all([framesByPillow(original.path), framesByPillow(result.path)])
  if (seen?.length !== original.frames)
    return { frames: null, timing, notJudged: [`looks of frames: ${original.type} that Pillow reads otherwise`] }
  if (made?.length !== result.frames)
    return { frames: `${result.frames} frames, of which Pillow reads ${made?.length ?? 'none'}`, timing, notJudged: [] }
  const looks = whyLooksOtherwise(withTimes(seen, original.times), withTimes(made, result.times))
  return { frames: isSameTime ? looks : null, timing, notJudged: [] }
}

function whyPlayedOtherwise({ type, plays: before }: Animation, { plays: after }: Animation): string | null {
  if (before === null || after === null || before === after) return null
  // Browsers do not agree whether a GIF says how often it plays, or how often again.
  if (type === 'GIF' && after === before + 1) return null
  return `plays ${before} times, and now ${after} times`
}

function withTimes(frames: readonly SeenFrame[], times: readonly number[]): SeenFrame[] {
  return frames.map((frame, index) => ({ ...frame, ms: shownMs(times[index]!) }))
}

/** What an encoder makes of a look at most, in ΔE at the point where it differs most. */
const LIKE = 8
/** How many frames before and after another are compared with what is shown in its place. */
const NEAR = 6
/** Frames that one encoder made lose about as much. */
const LOSS = { share: 3, deltaE: 3 }

/** Null where what is seen at each moment is the frame that should be. */
function whyLooksOtherwise(original: readonly SeenFrame[], result: readonly SeenFrame[]): string | null {
  let [startMs, at, endMs] = [0, 0, result[0]!.ms]
  const losses: number[] = []
  for (const [nth, { look, ms }] of original.entries()) {
    const middleMs = startMs + ms / 2
    while (middleMs > endMs && at < result.length - 1) endMs += result[++at]!.ms
    const shown = result[at]!.look
    const apart = farthest(shown, look)
    const others = original.slice(Math.max(0, nth - NEAR), nth + NEAR + 1).filter((other) => other.look !== look)
    if (apart > LIKE && others.some((other) => farthest(shown, other.look) < apart / 2))
      return `frame ${nth + 1} of ${original.length} is not shown, but another in its place`
    losses.push(compare(shown, look).deltaE)
    startMs += ms
  }
  const usual = losses.toSorted((a, b) => a - b)[Math.floor(losses.length / 2)]!
  const worst = losses.findIndex((deltaE) => deltaE > usual * LOSS.share + LOSS.deltaE)
  return worst < 0
    ? null
    : `frame ${worst + 1} of ${original.length} has other colours: ΔE ${losses[worst]!.toFixed(1)}`
}
