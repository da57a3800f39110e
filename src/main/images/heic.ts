import type { Extra } from '../../shared/jobs/job.ts'
import { orNull } from './metadata/container.ts'
import { orientationIn } from './metadata/fit-exif.ts'
import { findImageEnd, readLeniently } from './metadata/gather.ts'
import { boxesIn, readItemFile, type ItemFile } from './metadata/item-boxes.ts'
import { swapsSides, type Shape } from './metadata/picture-fit.ts'

/** Of an item: it is part of another one, or beside it (ISO 23008-12, 9.4.2). */
const HIDDEN = 1

/** What the boxes call them (ISO 23008-12, 6.6.2; ISO 21496-1; Apple, Samsung), and what they hold. */
const BESIDE: readonly [name: string, extra: Extra][] = [
  ['tmap', 'gain_map'],
  ['hdrgainmap', 'gain_map'],
  ['urn:mpeg:hevc:2015:auxid:2', 'depth'],
  ['urn:mpeg:mpegB:cicp:systems:auxiliary:depth', 'depth'],
  ['aux:portraiteffectsmatte', 'depth'],
]
/** Of items that are pictures, coded or made of others. */
const IS_PICTURE = /^(?:hvc1|hev1|lhv1|av01|grid|iden|iovl)$/

/** What a HEIC or AVIF holds beside its main picture. `isLive`: its EXIF has the identifier of a live photo. */
export function extrasInBoxes(bytes: Buffer, isLive: (exif: Buffer) => boolean): Extra[] {
  const file = readBoxes(bytes.subarray(0, findImageEnd(bytes, 'heic') ?? bytes.length))
  if (file === null) return []
  const meta = bytes.subarray(file.meta.start, file.meta.end)
  const found = new Set(BESIDE.filter(([name]) => meta.includes(name, 0, 'latin1')).map(([, extra]) => extra))
  if (file.boxes.some(({ type }) => type === 'mpvd')) found.add('motion')
  const beside = new Set(
    file.references.filter(({ type }) => type === 'thmb' || type === 'auxl').map(({ from }) => from),
  )
  const others = file.items.filter(
    ({ id, type, flagsAt }) =>
      id !== file.primary && IS_PICTURE.test(type) && (bytes[flagsAt]! & HIDDEN) === 0 && !beside.has(id),
  )
  const parts = new Set(file.references.filter(({ type }) => type === 'dimg').flatMap(({ to }) => to))
  if (others.some(({ id }) => !parts.has(id))) found.add('other_views')
  const { exif } = readLeniently({ bytes, type: 'heic' })
  if (exif !== null && isLive(exif)) found.add('live_photo')
  return [...found]
}

/** How the metadata of a HEIC counts its pixels: its boxes turn the picture, and its EXIF may say the same of the stored pixels. */
export function heicShape(bytes: Buffer, upright: Shape): Shape {
  const { exif } = readLeniently({ bytes, type: 'heic' })
  const orientation = exif === null ? 1 : orientationIn(exif)
  const stored = readBoxes(bytes.subarray(0, findImageEnd(bytes, 'heic') ?? bytes.length))?.largest ?? upright
  const isAcross = upright.width !== upright.height && stored.width === upright.height
  if (swapsSides(orientation) !== isAcross) return upright
  const [width, height] = isAcross ? [upright.height, upright.width] : [upright.width, upright.height]
  return { ...upright, width, height, orientation }
}

interface Size {
  width: number
  height: number
}

/** Null for boxes that cannot be read. */
export function readBoxes(bytes: Buffer): (ItemFile & { largest: Size }) | null {
  return orNull(() => {
    const file = readItemFile(bytes)
    return { ...file, largest: largestSize(file) }
  })
}

/** Of all that the file declares: that of the main picture, unless something beside it is larger. As stored, in pixels. */
function largestSize({ bytes, inMeta }: ItemFile): Size {
  let largest: Size = { width: 0, height: 0 }
  const iprp = inMeta.find(({ type }) => type === 'iprp')
  const ipco = iprp && boxesIn(bytes, iprp.dataStart, iprp.end).find(({ type }) => type === 'ipco')
  const sizes = ipco === undefined ? [] : boxesIn(bytes, ipco.dataStart, ipco.end).filter(({ type }) => type === 'ispe')
  for (const { dataStart } of sizes) {
    const size = { width: bytes.readUInt32BE(dataStart + 4), height: bytes.readUInt32BE(dataStart + 8) }
    if (size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
