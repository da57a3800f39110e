import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { judgeAnimation, openAnimation } from './judge-animation.ts'
import { judgePixels, openOriginal, sizeOf, typeOf } from './judge-pixels.ts'
import { decoderOf, pixelsByVips, whyBroken, type ExifTool, type Tags } from './programs.ts'
import type { Outcome } from './run-hangar.ts'
import { altTextsOf, creditsMissing, placeLost, placesIn, textOf } from './words-of-picture.ts'
import { withoutAltTexts, wordsLeft } from './words-of-picture.ts'

/** What is asked of each picture and each result. */
export const CHECKS = [
  'original',
  'answer',
  'refusal',
  'accepted',
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
  'kept',
  'stripped',
  'texts',
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
  /** Narrower files that are made as well. */
  widths: readonly number[]
  embedTexts: boolean
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

const TAKEN_IN = ['JPEG', 'PNG', 'GIF', 'WEBP']
const MAX_PIXELS = 100_000_000
const MAX_PIXELS_OF_FRAMES = 400_000_000
const MAX_SIDE = 16_383
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
  add('accepted', await whyBroken(type, source))
  const original = await openOriginal(source, type, tags)
  const wantedTexts = await textsToRead(outcome)
  for (const [index, { path, role }] of results.entries()) {
    const tell = (check: Check, why: string | null): void => add(check, why, role)
    const resultTags = tagsOfResults[index] ?? {}
    tell('whole', await whyNotWhole(path, resultTags))
    const result = { path, role, tags: resultTags }
    judgeWords(tags, result, outcome, policy, tell)
    if (policy.embedTexts && wantedTexts !== null) tell('texts', whyOtherTexts(wantedTexts, resultTags))
    await judgePixels(original, result, { policy, exiftool, judged, tell })
    const played = await judgeAnimation(original.animation, await openAnimation(path, typeOf(resultTags), resultTags))
    if (played === null) continue
    tell('frames', played.frames)
    if (played.timing !== undefined) tell('timing', played.timing)
    judged.notJudged.push(...played.notJudged)
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

export const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

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
      const { frames } = await openAnimation(path, type, tags)
      const isTooMany = width * height > MAX_PIXELS || width * height * frames > MAX_PIXELS_OF_FRAMES
      if (isTooMany || width > MAX_SIDE || height > MAX_SIDE) return null
      if ((await decoderOf(type, path)).verdict !== 'clean') return null
      return `refused for its ${width} × ${height} pixels in ${frames} frames`
    }
    case 'too_large': {
      const { size } = await stat(path)
      return size > MAX_BYTES ? null : `refused as too large with ${size} bytes`
    }
    default:
      return `failed with ${code}: ${outcome.reason?.detail ?? ''}`
  }
}

async function whyNotWhole(path: string, tags: Tags): Promise<string | null> {
  const type = typeOf(tags)
  if (type === '') return 'exiftool does not know what it is'
  if (type === 'AVIF')
    return (await pixelsByVips(path, { maxSide: 16, turned: false })) === null ? 'avifdec fails' : null
  const { verdict, words } = await decoderOf(type, path)
  return verdict === 'clean' ? null : `${verdict}: ${words}`
}

/** Texts of the service's, by language; null where the notes say that the files have others or none. */
async function textsToRead({ outputs = [], notes = [] }: Outcome): Promise<Map<string, string> | null> {
  const others = ['texts_withheld', 'own_alt_text_kept', 'texts_not_embedded', 'translation_missing']
  const sidecar = outputs.find(({ role }) => role === 'sidecar')
  if (sidecar === undefined || notes.some(({ code }) => others.includes(code))) return null
  const { translations } = JSON.parse(await readFile(sidecar.path, 'utf8')) as {
    translations: { languageCode: string; seoAltText: string }[]
  }
  return new Map(translations.map(({ languageCode, seoAltText }) => [languageCode, seoAltText]))
}

/** The first language's text is also the one for readers of other languages. */
function whyOtherTexts(wanted: ReadonlyMap<string, string>, tags: Tags): string | null {
  const [first = ''] = wanted.values()
  const found = altTextsOf(tags)
  const expected = new Map([...(wanted.size === 0 ? [] : [['x-default', first] as const]), ...wanted])
  const other = [...new Set([...expected.keys(), ...found.keys()])].find(
    (language) => expected.get(language) !== found.get(language),
  )
  return other === undefined ? null : `${other}: ${found.get(other) ?? 'none'}, and not ${textOf(expected.get(other))}`
}

export type Tell = (check: Check, why: string | null) => void

function judgeWords(
  original: Tags,
  { role, tags }: { role: string; tags: Tags },
  { notes = [] }: Outcome,
  policy: Policy,
  tell: Tell,
): void {
  const say = (check: Check, wrong: readonly string[]): void =>
    tell(check, wrong.length === 0 ? null : wrong.slice(0, 3).join('; '))
  if (policy.metadata !== 'keep') say('place', placesIn(original, tags))
  if (policy.metadata === 'strip') return say('stripped', wordsLeft(policy.embedTexts ? withoutAltTexts(tags) : tags))
  // The service decides what its own file keeps.
  if (policy.metadata === 'keep' && role !== 'optimized') {
    const lost = placeLost(original, tags)
    if (lost !== null) say('kept', lost)
  }
  const said = notes.flatMap(({ code, detail }) => (code === 'credits_lost' ? (detail?.split(',') ?? []) : []))
  const missing = creditsMissing(original, tags, said)
  if (missing !== null) say('credits', missing)
}
