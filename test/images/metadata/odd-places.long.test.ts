import { expect, it } from 'vitest'
import { describeWith, programs } from '../../needs.ts'
import { sniffImageType } from '../../../src/main/images/image-type.ts'
import { pngChunks, pngOf } from '../../../src/main/images/png-chunks.ts'
import { noise, withSegment, withXmp, xmpPacket } from '../pictures.ts'
import { applied, encoded } from '../tasks.ts'
import { fieldsOf, run, scratch, tagged, withFields } from './judges.ts'

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const LATITUDE = 47.25
const PLACED = ['-EXIF:Model=Some camera', `-EXIF:GPSLatitude=${LATITUDE}`, '-EXIF:GPSLatitudeRef=N']

/** EXIF as exiftool writes it, without the prefix that JPEG puts in front. */
async function placedExif(dir: string, fields = PLACED): Promise<Buffer> {
  withFields(dir, [['exif.jpg', await noise(40, 30).jpeg().toBuffer()]], fields)
  return run('exiftool', ['-b', '-exif', `${dir}/exif.jpg`])
}

const packetWith = (filling: string): Buffer =>
  Buffer.from(
    xmpPacket(
      'xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
        `exif:GPSLatitude="47,15.0N" dc:format="${filling}"`,
    ),
  )

/** A packet in the parts of extended XMP, behind one that refers to it. */
function inParts(jpeg: Buffer, packet: Buffer): Buffer {
  const guid = 'A'.repeat(32)
  let made = jpeg
  for (let at = Math.floor(packet.length / 60_000) * 60_000; at >= 0; at -= 60_000) {
    const head = Buffer.from(`http://ns.adobe.com/xmp/extension/\0${guid}\0\0\0\0\0\0\0\0`, 'latin1')
    head.writeUInt32BE(packet.length, head.length - 8)
    head.writeUInt32BE(at, head.length - 4)
    made = withSegment(made, 0xe1, Buffer.concat([head, packet.subarray(at, at + 60_000)]))
  }
  return withXmp(made, xmpPacket(`xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${guid}"`))
}

/** A WebP with an EXIF chunk as some programs write it. */
function webpWith(webp: Buffer, exif: Buffer): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const head = Buffer.from(`${name}....`, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return Buffer.concat([head, data, Buffer.alloc(data.length & 1)])
  }
  const extended = Buffer.from([0x08, 0, 0, 0, 39, 0, 0, 29, 0, 0])
  const body = Buffer.concat([chunk('VP8X', extended), webp.subarray(12), chunk('EXIF', exif)])
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

const jpegOf = (): Promise<Buffer> => noise(40, 30).jpeg().toBuffer()
const exifSegment = async (dir: string): Promise<Buffer> => Buffer.concat([EXIF, await placedExif(dir)])

const CASES: [name: string, make: (dir: string) => Promise<Buffer>][] = [
  [
    'EXIF split over two segments',
    async (dir) => {
      const exif = await placedExif(dir, [...PLACED, `-EXIF:UserComment=${'a long comment '.repeat(4600)}`])
      const jpeg = withSegment(await jpegOf(), 0xe1, Buffer.concat([EXIF, exif.subarray(60_000)]))
      return withSegment(jpeg, 0xe1, Buffer.concat([EXIF, exif.subarray(0, 60_000)]))
    },
  ],
  [
    'a second EXIF segment behind an empty one',
    async (dir) => withSegment(withSegment(await jpegOf(), 0xe1, await exifSegment(dir)), 0xe1, EXIF),
  ],
  ['extended XMP', async () => inParts(await jpegOf(), packetWith('x'.repeat(100_000)))],
  [
    "PNG's EXIF with the prefix of JPEG",
    async (dir) => {
      const [header, ...chunks] = [...pngChunks(await noise(40, 30).png().toBuffer())]
      return pngOf([header!, { name: 'eXIf', data: await exifSegment(dir) }, ...chunks])
    },
  ],
  [
    "WebP's EXIF with the prefix of JPEG",
    async (dir) => webpWith(await noise(40, 30).webp().toBuffer(), await exifSegment(dir)),
  ],
  [
    'XMP of a PNG behind its pixels',
    async () => {
      const chunks = [...pngChunks(await noise(40, 30).png().toBuffer())]
      const data = Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), packetWith('image/png')])
      return pngOf([...chunks.slice(0, -1), { name: 'iTXt', data }, chunks.at(-1)!])
    },
  ],
  [
    'XMP of a GIF',
    async (dir) => {
      const gif = await noise(40, 30).gif().toBuffer()
      return tagged(dir, 'gif', gif, { 'XMP-exif:GPSLatitude': '47.25' })
    },
  ],
]

describeWith(programs('exiftool'))('a location that stands where few programs put it', () => {
  it.each(CASES)('stays under keep and goes under no-location: %s', async (_name, make) => {
    const dir = scratch()
    const original = await make(dir)
    const type = sniffImageType(original)!
    expect(latitudesIn(dir, `original.${type}`, original)).not.toEqual([])
    const bare = await noise(40, 30)
      .toFormat(type as 'jpeg')
      .toBuffer()
    for (const metadata of ['keep-all', 'keep-without-location'] as const) {
      const made = await encoded(original, { quality: 60, metadata })
      const places = [latitudesIn(dir, `${metadata}.webp`, made.bytes)]
      for (const [nth, bytes] of [bare, original].entries()) {
        const served = await applied(bytes, original, metadata)
        const found = latitudesIn(dir, `${metadata}-${nth}.${type}`, served.bytes)
        // A JPEG has no room for more than 64 kB, and says so.
        if (metadata === 'keep-all' && nth === 0 && served.lost.length > 0) continue
        places.push(found)
      }
      const isThere = metadata === 'keep-all'
      expect([metadata, places.map((found) => found.length > 0)]).toEqual([metadata, places.map(() => isThere)])
    }
  })
})

function latitudesIn(dir: string, name: string, bytes: Uint8Array): unknown[] {
  return Object.entries(fieldsOf(dir, name, bytes))
    .filter(([key]) => /^(?:GPS|XMP-exif|IFD0|ExifIFD):.*(?:GPSLatitude|Latitude)$/.test(key))
    .map(([, value]) => value)
}
