import type { CreditCode, MetadataLoss } from '../../../shared/sentences/reasons.ts'
import type { MetadataPolicy, OutputType } from '../../../shared/recipes/recipe.ts'
import { nothingFound } from './container.ts'
import { exifUpright, exifWithoutLocation, orientationOnly, readExif } from './exif.ts'
import {
  codesOf,
  CONTAINERS,
  gather,
  isCredit,
  missingCredits,
  readLeniently,
  readOrNull,
  type Gathered,
  type Picture,
} from './gather.ts'
import { locationMatcher, withoutLocation } from './without-location.ts'
import { TIFF, writeXmp, type XmpProperty } from './xmp.ts'

/** A picture with the metadata that its recipe asks for. */
interface WithMetadata {
  bytes: Buffer
  /** What could not be kept: credits of the original, and words beside them. */
  lost: MetadataLoss[]
  /** Credits of the original that may be missing: the file's own metadata cannot be parsed. */
  unchecked: CreditCode[]
}

/** Fits into a JPEG segment with room to spare. */
const MAX_SEGMENT_BYTES = 60_000
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

/**
 * A file encoded here, upright and without metadata, with what the recipe keeps of the original's metadata. Throws
 * `MalformedImage` if the encoded file cannot be parsed; nothing is taken from an original that cannot be parsed.
 */
export function applyToConverted(encoded: Picture, original: Picture, policy: MetadataPolicy): WithMetadata {
  if (policy === 'strip') return { bytes: encoded.bytes, lost: [], unchecked: [] }
  const found = readLeniently(original)
  const gathered = gather(found)
  const upright = gathered.properties.filter(
    ({ namespace, name }) => !GONE.has(namespace) && !(namespace === TIFF && name === 'Orientation'),
  )
  const isLocation = locationMatcher(gathered.locations)
  const kept = policy === 'keep-all' ? upright : withoutLocation(upright, isLocation)
  const exif =
    found.exif === null
      ? null
      : policy === 'keep-all'
        ? exifUpright(found.exif)
        : exifWithoutLocation(found.exif, { orientation: false, isLocation })
  // With `keep-all` an unreadable packet is copied as it is, so nothing from elsewhere can be added to it.
  const whole = policy === 'keep-all' && gathered.isUnreadable ? found.xmp[0] : undefined
  const { xmp, written, dropped } =
    whole === undefined
      ? packet(kept, encoded.type)
      : { xmp: whole, written: gather({ ...nothingFound(), xmp: [whole] }).properties, dropped: NO_WORDS }
  const isSame = exif === null && xmp === null
  const bytes = isSame ? encoded.bytes : CONTAINERS[encoded.type].rewrite(encoded.bytes, { exif, xmp }, 'all')
  const credits = lostCredits(gathered, written)
  const lost = whole === undefined ? credits : credits.filter((code) => code !== 'unreadable')
  return { bytes, lost: [...lost, ...dropped], unchecked: [] }
}

/**
 * The service's compressed file with its coded pixels byte for byte, without what the recipe does not keep, and with the credits
 * of the original that the service dropped. Returns the same bytes if there is nothing to do, and with `keep-all` also if the
 * file cannot be parsed; otherwise it throws `MalformedImage` then, because what has to be removed may still be in it.
 */
export function applyToOptimized(served: Picture, original: Picture, policy: MetadataPolicy): WithMetadata {
  const container = CONTAINERS[served.type]
  const first = gather(readLeniently(original))
  const found = policy === 'keep-all' ? readOrNull(served) : container.read(served.bytes)
  if (found === null) return { bytes: served.bytes, lost: [], unchecked: lostCredits(first, []) }
  const turned = found.exif === null ? 1 : readExif(found.exif).orientation
  if (policy === 'strip') {
    const exif = orientationOnly(turned)
    const bytes = container.rewrite(served.bytes, { exif, xmp: null }, 'all')
    return { bytes: unlessSame(served.bytes, bytes), lost: [], unchecked: [] }
  }
  const own = gather(found)
  const missing = missingCredits(first.properties, own.properties)
  if (policy === 'keep-all') {
    if (missing.length === 0) return { bytes: served.bytes, lost: [], unchecked: [] }
    if (own.isUnreadable) return { bytes: served.bytes, lost: codesOf(missing), unchecked: [] }
    const { xmp, written } = packet([...own.properties, ...missing], served.type)
    if (written.length < own.properties.length) return { bytes: served.bytes, lost: codesOf(missing), unchecked: [] }
    const bytes = container.rewrite(served.bytes, { exif: null, xmp }, 'xmp')
    return { bytes, lost: lostCredits(first, written), unchecked: [] }
  }
  const isLocation = locationMatcher([...own.locations, ...first.locations])
  const { xmp, written, dropped } = packet(withoutLocation([...own.properties, ...missing], isLocation), served.type)
  const clean = found.exif === null ? null : exifWithoutLocation(found.exif, { orientation: true, isLocation })
  const exif = clean !== null && clean.length <= MAX_SEGMENT_BYTES ? clean : orientationOnly(turned)
  const bytes = container.rewrite(served.bytes, { exif, xmp }, 'all')
  return { bytes: unlessSame(served.bytes, bytes), lost: [...lostCredits(first, written), ...dropped], unchecked: [] }
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
function packet(properties: XmpProperty[], type: OutputType): Packet {
  const credits = properties.filter(isCredit)
  const dropped = credits.length < properties.length ? (['descriptions'] as const) : NO_WORDS
  for (const written of [properties, credits]) {
    const xmp = written.length === 0 ? null : writeXmp(written)
    const fits = xmp === null || xmp.length <= (type === 'jpeg' ? MAX_SEGMENT_BYTES : MAX_XMP_BYTES)
    if (fits) return { xmp, written, dropped: written === properties ? NO_WORDS : dropped }
  }
  return { xmp: null, written: [], dropped }
}

/** An unreadable packet may have had any credits. */
function lostCredits(original: Gathered, written: XmpProperty[]): CreditCode[] {
  const lost = codesOf(missingCredits(original.properties, written))
  return original.isUnreadable ? [...lost, 'unreadable'] : lost
}
