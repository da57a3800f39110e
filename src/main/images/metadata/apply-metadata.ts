import { isDeepStrictEqual } from 'node:util'
import type { CreditCode, MetadataLoss } from '../../../shared/sentences/reasons.ts'
import type { MetadataPolicy, ImageType } from '../../../shared/recipes/recipe.ts'
import type { Density, FoundMetadata, NewParts } from './container.ts'
import { exifWithoutLocation, orientationOnly } from './exif.ts'
import { fitExif } from './fit-exif.ts'
import { fitXmp } from './fit-xmp.ts'
import {
  codesOf,
  CONTAINERS,
  findProperty,
  gather,
  isCredit,
  missingCredits,
  readLeniently,
  readOrNull,
  type Gathered,
  type Picture,
} from './gather.ts'
import { fitOf, type Fit, type Shape } from './picture-fit.ts'
import { locationMatcher, withoutLocation } from './without-location.ts'
import { writeXmp, type Prefixes, type XmpProperty } from './xmp.ts'

/** A picture with the metadata that its recipe asks for. */
interface WithMetadata {
  bytes: Buffer
  /** What of the original could not be kept. */
  lost: MetadataLoss[]
  /** Credits of the original that may be missing: the file's own metadata cannot be parsed. */
  unchecked: CreditCode[]
}

/** Fits into a JPEG segment with room to spare. */
const MAX_SEGMENT_BYTES = 60_000
/** The most that a JPEG segment holds beside its length and its prefix. */
const MAX_EXIF_BYTES = 65_527
const MAX_XMP_BYTES = 1_048_576

/** Namespaces about gain maps, depth maps and videos, which a converted file does not have. */
const GONE = new Set([
  'http://ns.adobe.com/hdr-gain-map/1.0/',
  'http://ns.apple.com/HDRGainMap/1.0/',
  'http://ns.google.com/photos/1.0/container/',
  'http://ns.google.com/photos/1.0/camera/',
  'http://ns.google.com/photos/1.0/depthmap/',
  'http://ns.google.com/photos/1.0/image/',
  'http://ns.google.com/photos/1.0/audio/',
  'http://ns.google.com/photos/dd/1.0/device/',
  'http://ns.adobe.com/xmp/note/',
])

/** How the pixels of the original and of the other file are stored; null for what no decoder opens. */
export interface Shapes {
  original: Shape | null
  result: Shape | null
}

/**
 * A file of the picture, with its coded pixels byte for byte, with what the recipe keeps of the original's metadata and nothing else. The
 * original's takes precedence, but for how the pixels are stored. Throws `MalformedImage` if what has to be removed may still be in it; with
 * `keep-all` such a file stays as it is. `orientation`: what the file's EXIF says.
 */
export function applyMetadata(
  served: Picture,
  original: Picture,
  policy: MetadataPolicy,
  shapes: Shapes,
  orientation = shapes.result?.orientation ?? 1,
): WithMetadata {
  const container = CONTAINERS[served.type]
  const source = readLeniently(original)
  const first = gather(source)
  const fit = fitOf(shapes.original, shapes.result, orientation)
  const found = policy === 'keep-all' ? readOrNull(served) : container.read(served.bytes)
  if (found === null) {
    const isMore = source.exif !== null || first.properties.some((property) => !isCredit(property))
    return { bytes: served.bytes, lost: isMore ? ['details'] : [], unchecked: lostCredits(first, []) }
  }
  if (policy === 'strip') {
    const bytes = container.rewrite(served.bytes, { exif: orientationOnly(orientation) }, 'picture')
    return { bytes: unlessSame(served.bytes, bytes), lost: [], unchecked: [] }
  }
  const own = gather(found)
  const properties = propertiesFor(first, fit)
  const density = served.type === original.type ? changedDensity(source.density, found.density, fit) : undefined
  if (policy === 'keep-all') {
    const kept = keepAll(served.type, { ...found, ...own }, { ...source, ...first, properties }, fit)
    const isLacking = served.type === 'jpeg' && source.iptc !== null && found.iptc === null
    const iptc = isLacking && source.iptc!.length <= MAX_IPTC_BYTES ? source.iptc! : undefined
    const lost = isLacking && iptc === undefined ? [...new Set([...kept.lost, 'details' as const])] : kept.lost
    const parts: NewParts = { ...kept.parts, iptc, density }
    const isSame = Object.values(parts).every((part) => part === undefined)
    return { bytes: isSame ? served.bytes : container.rewrite(served.bytes, parts, 'all'), lost, unchecked: [] }
  }
  const isLocation = locationMatcher([...own.locations, ...first.locations])
  const ofItself = fitOf(shapes.result, shapes.result, orientation)
  const all = withoutLocation(merged(properties, propertiesFor(own, ofItself)), isLocation)
  const { xmp, written, dropped } = packet(all, served.type, bothPrefixes(first, own))
  const exif =
    source.exif === null
      ? exifFor(found.exif, served.type, policy, ofItself, isLocation)
      : exifFor(source.exif, served.type, policy, fit, isLocation)
  const block = exif.block ?? orientationOnly(orientation)
  const bytes = container.rewrite(served.bytes, { exif: block, xmp, density }, 'picture')
  const lost = [...lostCredits(first, written), ...dropped, ...exif.lost]
  return { bytes: unlessSame(served.bytes, bytes), lost, unchecked: [] }
}

/** What a JPEG's segment holds beside the names around them. */
const MAX_IPTC_BYTES = 65_500

/** Of the original, along the sides of the result; undefined where that says nothing else than its file does. */
function changedDensity(original: Density | null, own: Density | null, { swapsSides }: Fit): Density | undefined {
  if (original === null) return undefined
  const { unit, across, down } = original
  const wanted = swapsSides ? { unit, across: down, down: across } : original
  return isDeepStrictEqual(wanted, own) ? undefined : wanted
}

/** What the service's file lacks, in place of its own EXIF and XMP, which are part of it. */
function keepAll(
  type: ImageType,
  own: FoundMetadata & Gathered,
  first: FoundMetadata & Gathered,
  fit: Fit,
): { parts: Pick<NewParts, 'exif' | 'xmp'>; lost: MetadataLoss[] } {
  const { block, lost } = exifFor(first.exif, type, 'keep-all', fit, () => false)
  const exif = block === null || own.exif?.equals(block) === true ? undefined : block
  const missing = first.properties.filter((property) => !isSameValue(findProperty(own.properties, property), property))
  // A packet that cannot be read is copied as it is, and nothing is added to it.
  const whole = first.isUnreadable ? first.xmp[0] : undefined
  if (whole !== undefined && own.xmp.length === 0 && hasRoom(whole, type))
    return { parts: { exif, xmp: whole }, lost: [...codesOf(missing.filter(isCredit)), ...lost] }
  const isWholeLost = whole !== undefined && !own.xmp.some((other) => other.equals(whole))
  const unreadable = isWholeLost ? (['unreadable'] as const) : []
  if (missing.length === 0) return { parts: { exif }, lost: [...unreadable, ...lost] }
  const all = merged(first.properties, own.properties)
  const { xmp, written } = packet(all, type, bothPrefixes(first, own))
  const isRoom = !own.isUnreadable && own.properties.every((property) => findProperty(written, property) !== undefined)
  const left = isRoom ? missingFrom(first.properties, written) : missing
  const words = left.every(isCredit) ? [] : (['descriptions'] as const)
  return {
    parts: { exif, xmp: isRoom ? xmp : undefined },
    lost: [...codesOf(left.filter(isCredit)), ...unreadable, ...words, ...lost],
  }
}

const missingFrom = (wanted: readonly XmpProperty[], present: readonly XmpProperty[]): XmpProperty[] =>
  wanted.filter((property) => findProperty(present, property) === undefined)

/** Those of the first take precedence. */
const merged = (first: readonly XmpProperty[], second: readonly XmpProperty[]): XmpProperty[] => [
  ...first,
  ...missingFrom(second, first),
]

const bothPrefixes = (first: Gathered, second: Gathered): Prefixes => new Map([...second.prefixes, ...first.prefixes])

const isSameValue = (one: XmpProperty | undefined, other: XmpProperty): boolean =>
  one !== undefined && JSON.stringify(one.value) === JSON.stringify(other.value)

/** What the original's properties have to say of a file made of its picture alone. */
function propertiesFor({ properties }: Gathered, fit: Fit): XmpProperty[] {
  return fitXmp(
    properties.filter(({ namespace }) => !GONE.has(namespace)),
    fit,
  )
}

/** The EXIF of a file, from that of its original. */
function exifFor(
  block: Buffer | null,
  type: ImageType,
  policy: MetadataPolicy,
  fit: Fit,
  isLocation: (text: string) => boolean,
): { block: Buffer | null; lost: 'details'[] } {
  if (block === null) return { block: null, lost: [] }
  // The format has no place for it.
  if (type === 'gif') return { block: null, lost: ['details'] }
  const isAll = policy === 'keep-all'
  const known = isAll ? block : exifWithoutLocation(block, { orientation: fit.orientation, isLocation })
  const fitted = known === null ? null : fitExif(known, fit)
  if (fitted === null && isAll && !fit.isTurned) return { block, lost: [] }
  if (fitted === null || (type === 'jpeg' && fitted.length > MAX_EXIF_BYTES))
    return { block: null, lost: isAll || fitted !== null ? ['details'] : [] }
  return { block: fitted, lost: [] }
}

function unlessSame(before: Buffer, after: Buffer): Buffer {
  return before.equals(after) ? before : after
}

const NO_WORDS: readonly 'descriptions'[] = []

interface Packet {
  xmp: Buffer | null
  written: XmpProperty[]
  /** Whether words beside the credits had no room. */
  dropped: readonly 'descriptions'[]
}

/** Only the credits if everything together is too long. */
function packet(properties: XmpProperty[], type: ImageType, prefixes: Prefixes): Packet {
  const credits = properties.filter(isCredit)
  const dropped = credits.length < properties.length ? (['descriptions'] as const) : NO_WORDS
  for (const written of [properties, credits]) {
    const xmp = written.length === 0 ? null : writeXmp(written, prefixes)
    if (xmp === null || hasRoom(xmp, type))
      return { xmp, written, dropped: written === properties ? NO_WORDS : dropped }
  }
  return { xmp: null, written: [], dropped }
}

function hasRoom(xmp: Buffer, type: ImageType): boolean {
  return xmp.length <= (type === 'jpeg' ? MAX_SEGMENT_BYTES : MAX_XMP_BYTES)
}

/** An unreadable packet may have had any credits. */
function lostCredits(original: Gathered, written: XmpProperty[]): CreditCode[] {
  const lost = codesOf(missingCredits(original.properties, written))
  return original.isUnreadable ? [...lost, 'unreadable'] : lost
}
