import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { scaledSize } from '../../src/shared/scaled-size.ts'
import { compare, hasTransparency, srgbOf, withCurve } from './compare-pixels.ts'
import {
  apngTimes,
  decoderOf,
  showsOnePicture,
  gifTimes,
  pixelsAfterEncoding,
  pixelsAfterPlainWebp,
  pixelsByVips,
  sizeByVips,
  webpTimes,
  type ExifTool,
  type Pixels,
  type Tags,
} from './programs.ts'
import type { Outcome } from './run-hangar.ts'
import { creditsMissing, placesIn, profileOf, textOf } from './words-of-picture.ts'

/** What is asked of each picture and each result. */
export const CHECKS = [
  'original',
  'answer',
  'refusal',
  'whole',
  'size',
  'orientation',
  'colour',
  'profile',
  'alpha',
  'frames',
  'timing',
  'place',
  'credits',
] as const
export type Check = (typeof CHECKS)[number]

/** A question that was asked of a picture. `why` is there when the answer is wrong. */
export interface Finding {
  check: Check
  ok: boolean
  /** The role of the result it was asked of. */
  role?: string
  why?: string
}

export interface Policy {
  format: 'webp' | 'avif'
  quality: number
  metadata: 'keep' | 'no-location' | 'strip'
  longEdge: number | null
}

export interface Copied {
  /** The picture itself, which nothing touches. */
  source: string
  /** Its copy, which Hangar is given. */
  path: string
  sha256: string
  mtimeNs: bigint
}

export interface Judged {
  path: string
  /** As exiftool calls it, by the bytes. */
  type: string
  state: string
  reason: string | null
  detail: string | null
  notes: string[]
  findings: Finding[]
  /** What was not asked, and why. */
  notJudged: string[]
}

const MAX_SIDE = 256
/** What is below this difference is what encoders lose; what is above is compared with another encoder's loss. */
const SUSPICIOUS = { deltaE: 2, alpha: 1 }
/** About what the practice service makes of each type, by vips. */
const LIKE_SERVICE: Readonly<Record<string, string>> = {
  JPEG: 'other.jpg[Q=70]',
  PNG: 'other.png[palette,Q=70]',
  WEBP: 'other.webp[Q=70]',
  GIF: 'other.gif',
}
const MORE_THAN_THE_FORMAT = { deltaE: 1.5, alpha: 1.5, share: 1.1 }
const TAKEN_IN = ['JPEG', 'PNG', 'APNG', 'GIF', 'WEBP']
const MAX_PIXELS = 100_000_000
const MAX_BYTES = 10 * 1_048_576

/** Judges a picture and everything that was made of it, by programs other than Hangar. */
export async function judgePicture(
  copied: Copied,
  outcome: Outcome | undefined,
  policy: Policy,
  exiftool: ExifTool,
): Promise<Judged> {
  const results = (outcome?.outputs ?? []).filter(({ role }) => role !== 'sidecar')
  const { source } = copied
  const [tags = {}, ...tagsOfResults] = await exiftool.read([source, ...results.map(({ path }) => path)])
  const type = typeOf(tags) || 'unknown'
  const judged: Judged = {
    path: copied.path,
    type,
    state: outcome?.state ?? 'none',
    reason: outcome?.reason?.code ?? null,
    detail: outcome?.reason?.detail ?? null,
    notes: (outcome?.notes ?? []).map(({ code }) => code),
    findings: isReplaced(copied, outcome) ? [] : [await judgeOriginal(copied)],
    notJudged: [],
  }
  const add = (check: Check, why: string | null, role?: string): void => {
    const finding: Finding = { check, ok: why === null }
    judged.findings.push({ ...finding, ...(role === undefined ? {} : { role }), ...(why === null ? {} : { why }) })
  }
  add('answer', whyNoAnswer(outcome))
  if (outcome?.state === 'failed') add('refusal', await whyRefusedWrongly(source, type, tags, outcome))
  if (outcome?.state !== 'done') return judged
  const original = await openOriginal(source, type, tags)
  for (const [index, { path, role }] of results.entries()) {
    const tell = (check: Check, why: string | null): void => add(check, why, role)
    const resultTags = tagsOfResults[index] ?? {}
    tell('whole', await whyNotWhole(path, resultTags))
    judgeWords(tags, resultTags, judged, policy, tell)
    await judgePixels(original, { path, role, tags: resultTags }, policy, judged, tell)
    await judgeFrames(original, { path, tags: resultTags }, judged, tell)
  }
  return judged
}

/** Whether a result stands in the place of the original, which is only judged once it was brought back. */
export function isReplaced({ path }: Copied, outcome: Outcome | undefined): boolean {
  return outcome?.outputs?.some((output) => output.path === path) === true
}

export async function judgeOriginal({ path, sha256, mtimeNs }: Copied): Promise<Finding> {
  const found = await Promise.all([hashOf(path), stat(path, { bigint: true })]).catch(() => null)
  const why =
    found === null
      ? 'it is gone'
      : found[0] !== sha256
        ? 'its bytes were changed'
        : found[1].mtimeNs !== mtimeNs
          ? 'its time was changed'
          : null
  return { check: 'original', ok: why === null, ...(why === null ? {} : { why }) }
}

export async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** Every picture ends as done, skipped or failed, with a reason where nothing was done. */
function whyNoAnswer(outcome: Outcome | undefined): string | null {
  if (outcome === undefined) return 'Hangar did not speak of it'
  if (outcome.state === 'done') return null
  if (outcome.state !== 'failed' && outcome.state !== 'skipped') return `it ended as ${outcome.state}`
  return outcome.reason === undefined ? `it is ${outcome.state} without a reason` : null
}

/** Null where the judges agree with what Hangar says of a file, or nobody but the service can know. */
async function whyRefusedWrongly(path: string, type: string, tags: Tags, outcome: Outcome): Promise<string | null> {
  const code = outcome.reason?.code ?? ''
  const isTaken = TAKEN_IN.includes(type)
  switch (code) {
    case 'other_type':
      return isTaken ? `refused as another type, and exiftool calls it ${type}` : null
    case 'not_an_image':
    case 'cut_off':
    case 'damaged':
    case 'unreadable':
    case 'unsupported': {
      if (!isTaken) return null
      const { verdict } = await decoderOf(type, path)
      if (verdict !== 'clean') return null
      const pixels = await pixelsByVips(path, { maxSide: 16, turned: false })
      return pixels === null ? null : `refused as ${code}, and the judges read it without a complaint`
    }
    case 'too_many_pixels': {
      const { width, height } = sizeOf(tags)
      return width * height > MAX_PIXELS || width > 16_383 || height > 16_383 || type !== 'JPEG'
        ? null
        : `refused for its ${width} × ${height} pixels`
    }
    case 'too_large': {
      const { size } = await stat(path)
      return size > MAX_BYTES ? null : `refused as too large with ${size} bytes`
    }
    default:
      return `failed with ${code}: ${outcome.reason?.detail ?? ''}`
  }
}

interface Original {
  path: string
  type: string
  tags: Tags
  /** As it is shown, turned by its orientation. */
  width: number
  height: number
  isTurned: boolean
  pixels: Pixels | null
  /** Why `pixels` are no measure of the colours. */
  whyNoPixels: string | null
  times: number[] | null
  frames: number
}

async function openOriginal(path: string, type: string, tags: Tags): Promise<Original> {
  const orientation = (await isForBrowsers('orientation', type, path)) ? orientationOf(tags) : 1
  const stored = await storedSize(path, tags)
  const isAcross = orientation >= 5
  const times = await timesOf(type, path)
  const frames = type === 'APNG' ? Number(tags['PNG:AnimationFrames'] ?? 1) : (times?.length ?? 1)
  const isTurned = orientation > 1
  const isInk = profileOf(tags)?.space === 'CMYK'
  const pixels = await pixelsByVips(path, { maxSide: MAX_SIDE, turned: isTurned, isInk })
  return {
    path,
    type,
    tags,
    width: isAcross ? stored.height : stored.width,
    height: isAcross ? stored.width : stored.height,
    isTurned,
    times,
    frames,
    ...(await asBrowsersShow(path, type, tags, pixels)),
  }
}

/** The chunk of a PNG that browsers look into; ImageMagick keeps the same in text that only some programs read. */
const CHUNK = { orientation: 'eXIf', profile: 'iCCP' } as const

/** Whether what exiftool finds of a kind is what browsers go by. They turn no WebP, and a GIF has no profile for them. */
async function isForBrowsers(kind: keyof typeof CHUNK, type: string, path: string): Promise<boolean> {
  if (type.endsWith('PNG')) {
    const bytes = await readFile(path)
    const at = bytes.indexOf(CHUNK[kind])
    // What does not precede the pixels, and a profile that does not precede the palette, is passed over.
    const behind = kind === 'profile' ? ['IDAT', 'PLTE'] : ['IDAT']
    return at >= 0 && behind.every((name) => isBefore(at, bytes.indexOf(name)))
  }
  return type === 'JPEG' || (type === 'WEBP' && kind === 'profile')
}

const isBefore = (at: number, other: number): boolean => other < 0 || at < other

/** vips leaves the `gAMA` of a PNG out of account, which browsers do not. */
async function asBrowsersShow(
  path: string,
  type: string,
  tags: Tags,
  pixels: Pixels | null,
): Promise<Pick<Original, 'pixels' | 'whyNoPixels'>> {
  if (pixels === null) return { pixels, whyNoPixels: 'vips cannot decode it' }
  if (tags['File:ColorComponents'] === 4 && profileOf(tags) === null)
    return { pixels, whyNoPixels: 'CMYK without a profile' }
  if (type === 'APNG' && !(await firstPictureIsFrame(path)))
    return { pixels, whyNoPixels: 'its first picture is no frame' }
  const gamma = Number(tags['PNG:Gamma'] ?? 0)
  const hasProfile = profileOf(tags) !== null || tags['PNG:SRGBRendering'] !== undefined
  if (gamma === 0 || hasProfile || Math.abs(gamma - 2.2) < 0.02) return { pixels, whyNoPixels: null }
  if (tags['PNG-cHRM:WhitePointX'] !== undefined) return { pixels, whyNoPixels: 'gAMA and cHRM without a profile' }
  return { pixels: withCurve(pixels, (share) => srgbOf(share ** gamma)), whyNoPixels: null }
}

async function firstPictureIsFrame(path: string): Promise<boolean> {
  const bytes = await readFile(path)
  const [control, data] = [bytes.indexOf('fcTL'), bytes.indexOf('IDAT')]
  return control >= 0 && control < data
}

interface Result {
  path: string
  role: string
  tags: Tags
}

async function whyNotWhole(path: string, tags: Tags): Promise<string | null> {
  const type = typeOf(tags)
  if (type === '') return 'exiftool does not know what it is'
  if (type === 'AVIF')
    return (await pixelsByVips(path, { maxSide: 16, turned: false })) === null ? 'avifdec fails' : null
  const { verdict, words } = await decoderOf(type, path)
  return verdict === 'clean' ? null : `${verdict}: ${words}`
}

type Tell = (check: Check, why: string | null) => void

function judgeWords(original: Tags, result: Tags, judged: Judged, policy: Policy, tell: Tell): void {
  if (policy.metadata !== 'keep') {
    const places = placesIn(original, result)
    tell('place', places.length === 0 ? null : places.slice(0, 3).join('; '))
  }
  if (policy.metadata === 'strip') return
  const missing = creditsMissing(original, result)
  if (missing === null) return
  const isSaid = judged.notes.includes('credits_lost')
  tell('credits', missing.length === 0 || isSaid ? null : `missing: ${missing.slice(0, 3).join('; ')}`)
}

async function judgePixels(
  original: Original,
  result: Result,
  policy: Policy,
  judged: Judged,
  tell: Tell,
): Promise<void> {
  const isConverted = result.role === 'converted'
  const wanted = scaledSize(original, isConverted ? policy.longEdge : null)
  const stored = sizeOf(result.tags)
  const isAcross = orientationOf(result.tags) >= 5
  const shown = isAcross ? { width: stored.height, height: stored.width } : stored
  const isSize = Math.abs(shown.width - wanted.width) <= 1 && Math.abs(shown.height - wanted.height) <= 1
  tell('size', isSize ? null : `${wanted.width} × ${wanted.height} became ${shown.width} × ${shown.height}`)
  const profile = profileOf(original.tags)
  if (profile?.space === 'RGB' && (await isForBrowsers('profile', original.type, original.path))) {
    const kept = profileOf(result.tags)
    tell('profile', kept?.name === profile.name ? null : `${profile.name} became ${kept?.name ?? 'none'}`)
  }
  if (original.whyNoPixels !== null || original.pixels === null) {
    judged.notJudged.push(`colour: ${original.whyNoPixels}`)
    return
  }
  const turned = !isConverted && orientationOf(result.tags) > 1
  const made = await pixelsByVips(result.path, { maxSide: MAX_SIDE, turned })
  if (made === null) return tell('colour', 'vips cannot decode the result')
  if (Math.abs(made.width - original.pixels.width) > 1 || Math.abs(made.height - original.pixels.height) > 1) {
    if (isSize) tell('colour', 'of another shape')
    return
  }
  const found = compare(
    original.pixels,
    (await asBrowsersShow(result.path, typeOf(result.tags), result.tags, made)).pixels ?? made,
  )
  const most = await mostDifference(original, found, isConverted, policy)
  const whyColour =
    found.deltaE <= most.deltaE ? null : `ΔE ${found.deltaE.toFixed(1)}, at most ${most.deltaE.toFixed(1)}`
  tell('colour', whyColour)
  if (original.isTurned) tell('orientation', isSize ? whyColour : 'of another shape')
  if (hasTransparency(original.pixels))
    tell(
      'alpha',
      found.alpha <= most.alpha ? null : `${found.alpha.toFixed(1)} of 255, at most ${most.alpha.toFixed(1)}`,
    )
}

async function mostDifference(
  { path, type, isTurned, pixels }: Original,
  found: { deltaE: number; alpha: number },
  isConverted: boolean,
  { quality }: Policy,
): Promise<{ deltaE: number; alpha: number }> {
  if (found.deltaE <= SUSPICIOUS.deltaE && found.alpha <= SUSPICIOUS.alpha) return SUSPICIOUS
  // AVIF has to look about as good as WebP at the same number.
  const suffix = isConverted ? `other.webp[Q=${quality}]` : (LIKE_SERVICE[type] ?? 'other.png')
  const other = await pixelsAfterEncoding(path, { maxSide: MAX_SIDE, turned: isTurned, suffix })
  if (other === null || pixels === null) return SUSPICIOUS
  const losses = [compare(pixels, other)]
  if (isConverted) {
    // Of numbers with an odd profile, such as XYB, or beside clear areas, it loses more than of sRGB.
    const plain = await pixelsAfterPlainWebp(path, { maxSide: MAX_SIDE, turned: isTurned }, quality)
    if (plain !== null) losses.push(compare(pixels, plain))
  }
  const loss = {
    deltaE: Math.max(...losses.map(({ deltaE }) => deltaE)),
    alpha: Math.max(...losses.map(({ alpha }) => alpha)),
  }
  return {
    deltaE: Math.max(SUSPICIOUS.deltaE, loss.deltaE * MORE_THAN_THE_FORMAT.share + MORE_THAN_THE_FORMAT.deltaE),
    alpha: Math.max(SUSPICIOUS.alpha, loss.alpha + MORE_THAN_THE_FORMAT.alpha),
  }
}

/** Browsers show frames without a time, or with one of 10 ms, for 100 ms. */
const shownMs = (ms: number): number => (ms <= 10 ? 100 : ms)
const sum = (times: readonly number[]): number => times.reduce((all, ms) => all + shownMs(ms), 0)

async function judgeFrames(
  { path: source, type, frames, times }: Original,
  { path, tags }: { path: string; tags: Tags },
  judged: Judged,
  tell: Tell,
): Promise<void> {
  if (frames <= 1) return
  const kind = typeOf(tags)
  const made = await timesOf(kind, path)
  const count = made?.length ?? Number(tags['PNG:AnimationFrames'] ?? 1)
  if (count <= 1)
    return tell(
      'frames',
      ['GIF', 'APNG'].includes(type) && (await showsOnePicture(source)) ? null : `${frames} frames became a still`,
    )
  tell('frames', count > frames ? `${frames} frames became ${count}` : null)
  if (made === null || times === null) {
    judged.notJudged.push(`timing: of ${type} by no judge`)
    return
  }
  // Equal frames may be merged: then they are shown for as long together.
  const [before, after] = [sum(times), sum(made)]
  tell('timing', Math.abs(before - after) <= frames * 5 ? null : `${before} ms became ${after} ms`)
}

/** How long each frame is shown, in ms, by a program that knows the type; null for other types and where it cannot read it. */
async function timesOf(type: string, path: string): Promise<number[] | null> {
  switch (type) {
    case 'GIF':
      return gifTimes(path)
    case 'WEBP':
      return webpTimes(path)
    case 'APNG':
      return apngTimes(path)
    default:
      return null
  }
}

/** By the bytes; empty where exiftool does not know it. */
function typeOf(tags: Tags): string {
  return textOf(tags['File:FileType']).replace(/^Extended /, '')
}

/** By vips where exiftool cannot find it. */
async function storedSize(path: string, tags: Tags): Promise<{ width: number; height: number }> {
  const size = sizeOf(tags)
  return size.width > 0 ? size : ((await sizeByVips(path)) ?? size)
}

/** In pixels as they are stored. */
function sizeOf(tags: Tags): { width: number; height: number } {
  const [, width = '0', height = '0'] = /^(\d+)x(\d+)$/.exec(textOf(tags['Composite:ImageSize'])) ?? []
  return { width: Number(width), height: Number(height) }
}

const ORIENTATIONS = [
  'Horizontal (normal)',
  'Mirror horizontal',
  'Rotate 180',
  'Mirror vertical',
  'Mirror horizontal and rotate 270 CW',
  'Rotate 90 CW',
  'Mirror horizontal and rotate 90 CW',
  'Rotate 270 CW',
]

function orientationOf(tags: Tags): number {
  return Math.max(1, ORIENTATIONS.indexOf(textOf(tags['IFD0:Orientation'])) + 1)
}
