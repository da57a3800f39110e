import { noise } from './pictures.ts'

/** JPEGs with something beside the picture, put together as the formats' documents say. The pictures are noise. */

const plain = (side = 40, quality = 98) => noise(side, 30).jpeg({ quality }).toBuffer()

/** Puts a segment right behind the start of a JPEG. */
export function withSegment(jpeg: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

function withXmp(jpeg: Buffer, attributes: string, content = ''): Buffer {
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" ${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`
  return withSegment(jpeg, 0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`, 'latin1'))
}

/** CIPA DC-007: an index of the pictures in the file, as the last segment before the picture's own. */
function withIndex(first: Buffer, second: Buffer, kind: number): Buffer {
  const index = Buffer.alloc(4 + 8 + 2 + 3 * 12 + 4 + 32)
  index.write('MPF\0MM\0*', 0, 'latin1')
  index.writeUInt32BE(8, 8)
  index.writeUInt16BE(3, 12)
  const entry = (n: number, tag: number, type: number, count: number, value: number | string) => {
    const at = 14 + n * 12
    index.writeUInt16BE(tag, at)
    index.writeUInt16BE(type, at + 2)
    index.writeUInt32BE(count, at + 4)
    if (typeof value === 'string') index.write(value, at + 8, 'latin1')
    else index.writeUInt32BE(value, at + 8)
  }
  entry(0, 0xb000, 7, 4, '0100')
  entry(1, 0xb001, 4, 1, 2)
  entry(2, 0xb002, 7, 32, 50)
  const size = first.length + index.length + 4
  index.writeUInt32BE(0x20030000, 54)
  index.writeUInt32BE(size, 58)
  index.writeUInt32BE(kind, 70)
  index.writeUInt32BE(second.length, 74)
  // From the byte order on, which stands behind `FFD8 FFE2 length MPF\0`.
  index.writeUInt32BE(size - 10, 78)
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
  return withIndex(
    withXmp(await plain(side, quality), HDRGM, directory),
    withXmp(map, `${HDRGM} hdrgm:GainMapMax="2"`),
    0,
  )
}

export const appleGainMap = async (): Promise<Buffer> =>
  withIndex(
    await plain(),
    withXmp(
      await plain(10),
      'xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" HDRGainMap:HDRGainMapVersion="65536"',
    ),
    0,
  )

export const appleDepth = async (): Promise<Buffer> =>
  withIndex(
    await plain(),
    withXmp(await plain(10), 'xmlns:depthData="http://ns.apple.com/depthData/1.0/" depthData:Quality="high"'),
    0,
  )

export const googleDepth = async (): Promise<Buffer> =>
  withXmp(
    await plain(),
    'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Format="RangeInverse" GDepth:Mime="image/png" GDepth:Data="iVBORw0KGgo="',
  )

/** The first box of an MP4 file, and a little of the next. */
const VIDEO = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom\0\0\x02\0isommp42\0\0\0\x08mdat', 'latin1'),
])

export const microVideo = async (side = 40): Promise<Buffer> =>
  Buffer.concat([
    withXmp(await plain(side), 'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MicroVideo="1"'),
    VIDEO,
  ])

export const samsungMotion = async (): Promise<Buffer> =>
  Buffer.concat([await plain(), Buffer.from('\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data', 'latin1'), VIDEO])

export const stereoPair = async (): Promise<Buffer> => withIndex(await plain(), await plain(), 0x020002)

export const withLargePreview = async (): Promise<Buffer> => withIndex(await plain(), await plain(20), 0x010001)

/** EXIF with Apple's maker note, which holds the identifier that the picture and its video share. */
export async function liveJpeg(): Promise<Buffer> {
  const identifier = '3F2A9C1E-0000-4000-8000-000000000001\0'
  const note = Buffer.alloc(14 + 2 + 12 + 4 + identifier.length)
  note.write('Apple iOS\0\0\x01MM', 0, 'latin1')
  note.writeUInt16BE(1, 14)
  note.writeUInt16BE(17, 16)
  note.writeUInt16BE(2, 18)
  note.writeUInt32BE(identifier.length, 20)
  note.writeUInt32BE(32, 24)
  note.write(identifier, 32, 'latin1')
  const folder = (at: number, tag: number, type: number, count: number, value: number): Buffer => {
    const made = Buffer.alloc(18)
    made.writeUInt16BE(1, 0)
    made.writeUInt16BE(tag, 2)
    made.writeUInt16BE(type, 4)
    made.writeUInt32BE(count, 6)
    made.writeUInt32BE(value, 10)
    return at === 0 ? made.subarray(0, 0) : made
  }
  const make = Buffer.from('Apple\0')
  const main = Buffer.alloc(2 + 2 * 12 + 4)
  main.writeUInt16BE(2, 0)
  for (const [n, tag, type, count, value] of [
    [0, 0x010f, 2, make.length, 8 + main.length],
    [1, 0x8769, 4, 1, 8 + main.length + make.length],
  ] as const) {
    main.writeUInt16BE(tag, 2 + n * 12)
    main.writeUInt16BE(type, 4 + n * 12)
    main.writeUInt32BE(count, 6 + n * 12)
    main.writeUInt32BE(value, 10 + n * 12)
  }
  const at = 8 + main.length + make.length
  const exif = folder(at, 0x927c, 7, note.length, at + 18)
  const header = Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1')
  return withSegment(await plain(), 0xe1, Buffer.concat([header, main, make, exif, note]))
}
