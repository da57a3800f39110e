import type { Extra } from '../../shared/jobs/job.ts'
import type { ImageType } from '../../shared/recipes/recipe.ts'
import { extrasInBoxes } from './heic.ts'
import { orNull } from './metadata/container.ts'
import { contentsOf, EXTENDED_HEADER_BYTES, picturesIn, segmentsOf } from './metadata/jpeg.ts'

/** What no result made from the pixels has. Only what is really there counts. `end`: where the picture itself ends. */
export function findExtras(bytes: Buffer, type: ImageType, end: number): Extra[] {
  const tail = withoutPadding(bytes.subarray(end))
  const found = new Set<Extra>()
  if (hasVideo(tail)) found.add('motion')
  if (type === 'avif' || type === 'heic') for (const extra of extrasInBoxes(bytes, isOfLivePhoto)) found.add(extra)
  if (type !== 'jpeg') return tail.length > 0 && found.size === 0 ? ['other_data'] : [...found]
  const segments = orNull(() => segmentsOf(bytes).segments) ?? []
  const xmp = Buffer.concat([
    ...contentsOf(segments, 'xmp'),
    ...contentsOf(segments, 'extendedXmp').map((part) => part.subarray(EXTENDED_HEADER_BYTES)),
  ])
  const [multiPicture] = contentsOf(segments, 'multiPicture')
  const holdsPicture = tail.indexOf(START_OF_JPEG) >= 0
  const marksGainMap = contentsOf(segments, 'gainMap').length > 0
  if (holdsPicture && (marksGainMap || includesAny(xmp, GAIN_MAP) || includesAny(tail, GAIN_MAP))) found.add('gain_map')
  if (
    includesAny(xmp, DEPTH_ITSELF) ||
    (holdsPicture && includesAny(xmp, DEPTH_BEHIND)) ||
    includesAny(tail, DEPTH_IN_TAIL)
  )
    found.add('depth')
  if (holdsPicture && multiPicture !== undefined && hasOtherViews(multiPicture)) found.add('other_views')
  if (contentsOf(segments, 'exif').some(isOfLivePhoto)) found.add('live_photo')
  // Cameras put larger previews there, which show nothing that the picture does not.
  const isPreview = holdsPicture && multiPicture !== undefined
  const isExplained =
    isPreview || ['motion', 'gain_map', 'depth', 'other_views'].some((extra) => found.has(extra as Extra))
  if (tail.length > 0 && !isExplained) found.add('other_data')
  return [...found]
}

const START_OF_JPEG = Buffer.from([0xff, 0xd8, 0xff])

/** Names of the forms in which gain maps are written: Adobe's and Android's, ISO 21496-1, Apple's. */
const GAIN_MAP = [
  'http://ns.adobe.com/hdr-gain-map/1.0/',
  'urn:iso:std:iso:ts:21496:-1',
  'http://ns.apple.com/HDRGainMap/1.0/',
  'aux:hdrgainmap',
]
/** Google's first form, which is in the packet. */
const DEPTH_ITSELF = ['GDepth:Data']
/** The later one: a picture behind the picture, described by the packet. */
const DEPTH_BEHIND = ['http://ns.google.com/photos/dd/1.0/depthmap/', 'Semantic="Depth"']
/** Apple's, with the outline of a portrait, and Samsung's. */
const DEPTH_IN_TAIL = ['http://ns.apple.com/depthData/1.0/', 'aux:portraiteffectsmatte', 'DualShot_DepthMap']

function includesAny(bytes: Buffer, texts: readonly string[]): boolean {
  return texts.some((text) => bytes.includes(text, 0, 'latin1'))
}

/** Copies that fill up a block leave zeros, ones, blanks or line ends behind the picture. */
function withoutPadding(tail: Buffer): Buffer {
  const isPadding = tail.every((byte) => [0x00, 0xff, 0x20, 0x0a, 0x0d].includes(byte))
  return isPadding ? tail.subarray(0, 0) : tail
}

/** An MP4 or QuickTime file, by its first box; or the mark that Samsung puts before one. */
function hasVideo(tail: Buffer): boolean {
  if (tail.includes('MotionPhoto_Data', 0, 'latin1')) return true
  for (let at = tail.indexOf('ftyp', 0, 'latin1'); at >= 0; at = tail.indexOf('ftyp', at + 4, 'latin1')) {
    const brand = tail.toString('latin1', at + 4, at + 8)
    if (at >= 4 && /^(?:mp4[12v]|isom|iso[2-9]|avc1|qt {2}|MSNV|3gp\d|M4V )$/.test(brand)) return true
  }
  return false
}

/** Apple's maker note with the identifier (tag 17) that a live photo shares with its video. */
function isOfLivePhoto(exif: Buffer): boolean {
  const note = exif.indexOf('Apple iOS\0', 0, 'latin1')
  if (note < 0 || note + 16 > exif.length) return false
  const count = exif.readUInt16BE(note + 14)
  for (let n = 0, at = note + 16; n < count && at + 12 <= exif.length; n++, at += 12)
    if (exif.readUInt16BE(at) === 17) return true
  return false
}

/** Pictures taken together with this one: the other eye, other angles, parts of a panorama. The first is the picture itself. */
function hasOtherViews(index: Buffer): boolean {
  return picturesIn(index).some(({ kind }, nth) => nth > 0 && kind >>> 16 === 2)
}
