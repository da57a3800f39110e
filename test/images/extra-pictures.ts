import { exifDirectory, noise, withSegment, withXmp, xmpPacket } from './pictures.ts'

/** JPEGs with something beside the picture, put together as the formats' documents say. The pictures are noise. */

const plain = (side = 40, quality = 98) => noise(side, 30).jpeg({ quality }).toBuffer()

const u32 = (...values: number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)))

/** CIPA DC-007: an index of the pictures in the file, as the last segment before the picture's own. */
function withIndex(first: Buffer, second: Buffer, kind: number): Buffer {
  const size = first.length + 90
  // From the byte order on, which stands behind `FFD8 FFE2 length MPF\0`.
  const entries = u32(0x20030000, size, 0, 0, kind, second.length, size - 10, 0)
  const head = Buffer.from('MPF\0MM\0*\0\0\0\x08', 'latin1')
  const version = [0xb000, 7, 4, Buffer.from('0100')] as const
  const rows = [version, [0xb001, 4, 1, u32(2)] as const, [0xb002, 7, 32, entries] as const]
  const index = Buffer.concat([head, exifDirectory(8, rows, 'MM')])
  return Buffer.concat([withSegment(first, 0xe2, index), second])
}

const HDRGM = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'

export async function ultraHdr({ iso = false, side = 40, quality = 98 } = {}): Promise<Buffer> {
  const map = await plain(10)
  if (iso) {
    const version = Buffer.from('urn:iso:std:iso:ts:21496:-1\0\0\0\0\0', 'latin1')
    return withIndex(withSegment(await plain(side, quality), 0xe2, version), map, 0)
  }
  const directory =
    '<Container:Directory xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/">' +
    '<rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>' +
    '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg"/></rdf:li></rdf:Seq></Container:Directory>'
  const first = withXmp(await plain(side, quality), xmpPacket(HDRGM, directory))
  return withIndex(first, withXmp(map, xmpPacket(`${HDRGM} hdrgm:GainMapMax="2"`)), 0)
}

const withApples = async (attributes: string): Promise<Buffer> =>
  withIndex(await plain(), withXmp(await plain(10), xmpPacket(attributes)), 0)

export const appleGainMap = (): Promise<Buffer> =>
  withApples('xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" HDRGainMap:HDRGainMapVersion="65536"')

export const appleDepth = (): Promise<Buffer> =>
  withApples('xmlns:depthData="http://ns.apple.com/depthData/1.0/" depthData:Quality="high"')

export const googleDepth = async (): Promise<Buffer> =>
  withXmp(
    await plain(),
    xmpPacket(
      'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Format="RangeInverse" GDepth:Mime="image/png" GDepth:Data="iVBORw0KGgo="',
    ),
  )

/** The first box of an MP4 file, and a little of the next. */
const VIDEO = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42\0\0\0\x08mdat', 'latin1')

export const microVideo = async (side = 40): Promise<Buffer> =>
  Buffer.concat([
    withXmp(
      await plain(side),
      xmpPacket('xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1"'),
    ),
    VIDEO,
  ])

export const samsungMotion = async (): Promise<Buffer> =>
  Buffer.concat([await plain(), Buffer.from('\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data', 'latin1'), VIDEO])

export const stereoPair = async (): Promise<Buffer> => withIndex(await plain(), await plain(), 0x020002)

export const withLargePreview = async (): Promise<Buffer> => withIndex(await plain(), await plain(20), 0x010001)

/** EXIF with Apple's maker note, which holds the identifier that the picture and its video share. */
export async function liveJpeg(): Promise<Buffer> {
  const identifier = Buffer.from('3F2A9C1E-0000-4000-8000-000000000001\0')
  const ofApple = exifDirectory(14, [[17, 2, identifier.length, identifier]], 'MM')
  const note = Buffer.concat([Buffer.from('Apple iOS\0\0\x01MM', 'latin1'), ofApple])
  const make = [0x010f, 2, 6, Buffer.from('Apple\0')] as const
  const main = (exifAt: number): Buffer => exifDirectory(8, [make, [0x8769, 4, 1, u32(exifAt)]], 'MM')
  const exifAt = 8 + main(0).length
  const exif = exifDirectory(exifAt, [[0x927c, 7, note.length, note]], 'MM')
  const header = Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1')
  return withSegment(await plain(), 0xe1, Buffer.concat([header, main(exifAt), exif]))
}
