import sharp, { type Metadata } from 'sharp'
import { withAdobeRgb } from './adobe-rgb.ts'
import { sniffImageType } from './image-type.ts'
import { say } from '../../shared/sentences/sentence.ts'
import {
  judgeServed,
  least,
  MAX_DIFFERENCE,
  MAX_DIFFERENCE_IN_FEW_COLOURS,
  viewsThatFit,
  type Judgement,
  type Match,
  type PictureFacts,
} from '../core/judge-served.ts'
import { distance, gridOf, paletteShift, turned, type Raster } from '../core/likeness.ts'
import type { ImageFailure, JudgedFile, PixelLimits, TaskOf } from '../core/picture-tasks.ts'
import { MalformedImage } from './metadata/container.ts'
import { decoderBytes, openImage, pixelsOf, type OpenedImage } from './open-image.ts'
import { decodeRaster, pickPixels, type DecodeOptions, type Grid, type Picture } from './picture-raster.ts'
import { gammaToSrgb, withColourChunks } from './png-colours.ts'
import { uprightWebp, withOrientation, withProfile } from './put-back.ts'

/** Of what is decoded small: a JPEG at an eighth of its size, the rest row by row. */
const BYTES_PER_PIXEL = 4
const BYTES_PER_DEEP_PIXEL = 12

/** Compares the service's file with its original, and puts back an orientation or a profile that was only dropped. */
export async function judgeFile(
  given: Buffer,
  ofOriginal: Buffer,
  options: JudgeOptions,
  admit: (bytes: number) => Promise<void>,
): Promise<JudgedFile | ImageFailure> {
  const { copy, limits } = options
  const [served, original] = [await labelled(given, limits), await labelled(ofOriginal, limits)]
  const measured = await measureFiles(served, original, options, admit)
  if (!measured.ok) return measured
  const judgement = judgeServed(measured.original.facts, measured.served.facts, { ...measured, copy })
  if (!judgement.fits) return { ok: true, ...judgement }
  const judged = await putBack(served, measured.served, measured.original, judgement)
  return judged.fits && judged.bytes === null && served !== given ? { ...judged, bytes: served } : judged
}

/** With its profile, if only its EXIF says what its colours are. */
async function labelled(bytes: Buffer, limits: PixelLimits): Promise<Buffer> {
  const opened = await openImage(bytes, limits)
  return (opened.ok ? withAdobeRgb(bytes, opened) : null) ?? bytes
}

interface Measured {
  ok: true
  original: Picture
  served: Picture
  matches: Match[]
  gap: number
  shift: number | null
}

type JudgeOptions = Pick<TaskOf<'judge'>, 'copy' | 'limits'>

/** What the judgement is based on. */
export async function measureFiles(
  served: Buffer,
  original: Buffer,
  { copy, limits }: JudgeOptions,
  admit: (bytes: number) => Promise<void>,
): Promise<Measured | ImageFailure> {
  const [first, second] = await Promise.all([original, served].map((bytes) => openImage(upright(bytes), limits)))
  if (!first!.ok) return first!
  if (!second!.ok) return second!
  const isDeep = [first!, second!].some(({ metadata }) => metadata.depth === 'ushort')
  const perPixel = isDeep ? BYTES_PER_DEEP_PIXEL : BYTES_PER_PIXEL
  await admit(
    decoderBytes(first!) + (pixelsOf(first!) + pixelsOf(second!)) * perPixel + (served.length + original.length) * 2,
  )
  const wanted = await describe(original, first!, second!)
  const given = await describe(served, second!, first!)
  const alsoTurned = first!.type === 'webp' ? await orientationOf(original) : null
  const views = viewsThatFit(wanted.facts, given.facts, { copy, alsoTurned })
  const compared = views.length === 0 ? { matches: [], gap: 0 } : await compare(wanted, given, views, limits)
  const shift = await shiftOf(wanted, given, compared.matches[0], limits)
  return { ok: true, original: wanted, served: given, ...compared, shift }
}

/** Looked at only where it decides; null where it does not, or where the file has all colours. */
async function shiftOf(
  original: Picture,
  served: Picture,
  asItIs: Match | undefined,
  limits: PixelLimits,
): Promise<number | null> {
  const { metadata, type, frames } = served.opened
  const apart = asItIs === undefined ? 0 : least(asItIs)
  if (apart <= MAX_DIFFERENCE || apart > MAX_DIFFERENCE_IN_FEW_COLOURS) return null
  if (frames > 1 || (type !== 'gif' && metadata.isPalette !== true)) return null
  const { width, height } = served.facts.size
  if (original.facts.size.width !== width || original.facts.size.height !== height) return null
  if (original.facts.orientation !== served.facts.orientation) return null
  return paletteShift(await pickPixels(original, limits), await pickPixels(served, limits))
}

/** Browsers show a WebP as its pixels are. */
const upright = (bytes: Buffer): Buffer => (sniffImageType(bytes) === 'webp' ? uprightWebp(bytes) : bytes)

async function orientationOf(bytes: Buffer): Promise<number | null> {
  const { orientation = 1 } = await sharp(bytes, { failOn: 'none' }).metadata()
  return orientation === 1 ? null : orientation
}

/** `other` is what it is compared with: what neither has need not be looked for. */
async function describe(given: Buffer, opened: OpenedImage, other: OpenedImage): Promise<Picture> {
  const bytes = upright(given)
  const { metadata, type, frames } = opened
  const { width, height, pageHeight, orientation = 1, depth, space, icc } = metadata
  const isDeep = depth === 'ushort' && (other.metadata.depth === 'ushort' || (await needsSixteenBits(bytes, metadata)))
  const facts: PictureFacts = {
    size: { width, height: pageHeight ?? height },
    orientation: type === 'jpeg' || type === 'png' || type === 'tiff' ? orientation : 1,
    frames,
    isTransparent: (metadata.hasAlpha && other.metadata.hasAlpha) || (await isSeenThrough(bytes, metadata)),
    isDeep,
    isCmyk: space === 'cmyk',
    hasProfile: icc !== undefined,
    hasGamma: type === 'png' && gammaToSrgb(bytes) !== null,
  }
  return { opened, bytes, facts }
}

/** The share of a picture that has to be transparent to be missed: a compressor may round a few pixels up. */
const MIN_TRANSPARENT = 0.001

/** Whether something lies behind a still picture, or a first frame. */
export async function isSeenThrough(bytes: Buffer, { hasAlpha }: Metadata): Promise<boolean> {
  if (!hasAlpha) return false
  const image = sharp(bytes, { failOn: 'none', pages: 1, limitInputPixels: false })
  const alpha = await image.extractChannel('alpha').raw().toBuffer()
  return alpha.reduce((sum, value) => sum + 255 - value, 0) > alpha.length * 255 * MIN_TRANSPARENT
}

/** Many programs write 8 bits as 16: each byte twice. */
async function needsSixteenBits(bytes: Buffer, { hasAlpha, space }: Metadata): Promise<boolean> {
  const image = sharp(bytes, { failOn: 'none', ignoreIcc: true })
  const { data } = await (hasAlpha ? image.removeAlpha() : image)
    .toColourspace(space === 'grey16' ? 'grey16' : 'rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  for (let at = 0; at + 1 < data.length; at += 2) if (data[at] !== data[at + 1]) return true
  return false
}

/** Half of what still counts as the same picture. */
const CLEARLY_ALIKE = MAX_DIFFERENCE / 2

/** The first frame and the last. */
async function compare(
  original: Picture,
  served: Picture,
  views: readonly { original: number; served: number }[],
  limits: PixelLimits,
): Promise<{ matches: Match[]; gap: number }> {
  const frames = Math.min(original.opened.frames, served.opened.frames)
  const isMoving = original.facts.frames === served.facts.frames && frames > 1
  const all: { matches: Match[]; gap: number }[] = []
  for (const frame of isMoving ? [0, frames - 1] : [0])
    all.push(await compareFrame(original, served, views, { frame, limits }))
  const worst = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? null : Math.max(one, other)
  return all.reduce((one, other) => ({
    gap: Math.max(one.gap, other.gap),
    matches: one.matches.map((match, n) => ({
      ...match,
      shown: Math.max(match.shown, other.matches[n]!.shown),
      numbers: worst(match.numbers, other.matches[n]!.numbers),
    })),
  }))
}

async function compareFrame(
  original: Picture,
  served: Picture,
  views: readonly { original: number; served: number }[],
  at: DecodeOptions,
): Promise<{ matches: Match[]; gap: number }> {
  const grid = gridOf(original.facts.size)
  const shownGrid = (view: { original: number; served: number }) => {
    const isAcross = view.original >= 5 !== view.served >= 5
    return isAcross ? { columns: grid.rows, rows: grid.columns } : grid
  }
  const meansSame = haveSameColours(original, served)
  const comparable = original.facts.isCmyk === served.facts.isCmyk
  const made = new Map<string, Promise<Raster>>()
  const ofServed = async (cells: Grid, how: 'numbers' | 'shown'): Promise<Raster> => {
    const key = `${how} ${cells.columns} ${cells.rows}`
    const raster = made.get(key) ?? decodeRaster(served, cells, how, at)
    made.set(key, raster)
    return raster
  }
  const [numbersOf, shownOf] = await Promise.all([
    comparable ? decodeRaster(original, grid, 'numbers', at) : null,
    meansSame ? null : decodeRaster(original, grid, 'shown', at),
    // At the same time: both files are decoded by a thread each.
    ...views.map((view) => ofServed(shownGrid(view), comparable ? 'numbers' : 'shown')),
  ])
  const gap = numbersOf === null || shownOf === null ? 0 : distance(shownOf, numbersOf)
  const matches = await Promise.all(
    views.map(async (view): Promise<Match> => {
      const apart = async (one: Raster | null, how: 'numbers' | 'shown'): Promise<number | null> =>
        one === null
          ? null
          : distance(turned(one, view.original), turned(await ofServed(shownGrid(view), how), view.served))
      const numbers = await apart(numbersOf, 'numbers')
      const shown = await apart(shownOf, 'shown')
      return { ...view, numbers, shown: shown ?? numbers ?? Number.POSITIVE_INFINITY }
    }),
  )
  const isClear = least(matches[0]!) <= CLEARLY_ALIKE
  // Decoding small moves the colours of a JPEG that stores fewer of them than pixels.
  const isSmall = at.isWhole !== true && [original, served].some(({ opened }) => opened.type === 'jpeg')
  if (isClear || !isSmall) return { matches, gap }
  const whole = await compareFrame(original, served, views, { ...at, isWhole: true })
  return least(whole.matches[0]!) < least(matches[0]!) ? whole : { matches, gap }
}

/** Their numbers mean the same, so that they need to be compared in one way only. */
function haveSameColours({ opened: one, facts }: Picture, { opened: other, facts: otherFacts }: Picture): boolean {
  if (facts.hasGamma || otherFacts.hasGamma || facts.isCmyk !== otherFacts.isCmyk) return false
  const [a, b] = [one.metadata.icc, other.metadata.icc]
  return a === undefined || b === undefined ? a === b : a.equals(b)
}

/** The same file, or with what its service dropped. Where that cannot be put back the orientation is wrong, or a profile lost. */
async function putBack(
  served: Buffer,
  { opened, facts }: Picture,
  original: Picture,
  judgement: Extract<Judgement, { fits: true }>,
): Promise<JudgedFile> {
  const { orientation, putsProfileBack, losses } = judgement
  let bytes = served
  try {
    if (orientation !== facts.orientation) bytes = withOrientation(bytes, opened.type, orientation)
  } catch (error) {
    if (!(error instanceof MalformedImage)) throw error
    return { ok: true, fits: false, why: say('served_other_picture') }
  }
  if (putsProfileBack && original.facts.hasGamma && opened.type === 'png')
    bytes = withColourChunks(bytes, original.bytes) ?? bytes
  const profile = original.opened.metadata.icc
  const lost = new Set(losses)
  if (putsProfileBack && profile !== undefined)
    try {
      if (!describesPixels(profile, opened)) throw new MalformedImage('a profile for other pixels')
      bytes = withProfile(bytes, opened.type, profile)
    } catch (error) {
      if (!(error instanceof MalformedImage)) throw error
      lost.add('profile')
    }
  return { ok: true, fits: true, bytes: bytes === served ? null : bytes, losses: [...lost] }
}

function describesPixels(profile: Buffer, { metadata }: OpenedImage): boolean {
  const { space } = metadata
  switch (profile.toString('latin1', 16, 20)) {
    case 'RGB ':
      return space !== 'cmyk' && space !== 'b-w' && space !== 'grey16'
    case 'GRAY':
      return space === 'b-w' || space === 'grey16'
    case 'CMYK':
      return space === 'cmyk'
    default:
      return false
  }
}
