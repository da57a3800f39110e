import { expect, it } from 'vitest'
import { describeWith, programs } from '../../needs.ts'
import { writeAltTexts } from '../../../src/main/images/metadata/alt-texts.ts'
import { withOrientation, withProfile } from '../../../src/main/images/put-back.ts'
import { stereoPair, ultraHdr, withLargePreview } from '../extra-pictures.ts'
import { exifBlock, jpegWithExif, noise } from '../pictures.ts'
import { applied } from '../tasks.ts'
import { run, scratch, withFields, written } from './judges.ts'

/** Camera, author and IPTC records. */
async function described(dir: string): Promise<Buffer> {
  const picture = jpegWithExif(await noise(40, 30).jpeg().toBuffer(), exifBlock(1, 'MM'))
  const fields =
    '-EXIF:Model=Some camera|-XMP-dc:Creator=Ann|-IPTC:Contact=ann@example.org|-JFIF:XResolution=300'.split('|')
  return withFields(dir, [['o.jpg', picture]], fields)[0]![1]
}

const kept = async (original: Buffer, served: Buffer) => (await applied(served, original, 'keep-all')).bytes

const lastOf = (bytes: Buffer): number => bytes.lastIndexOf(Buffer.from([0xff, 0xd8, 0xff]))

/** Everything that adds to a JPEG of the service. */
const WAYS: [name: string, change: (served: Buffer, original: Buffer) => Promise<Buffer>][] = [
  ["the original's metadata", (served, original) => kept(original, served)],
  [
    'alt texts',
    async (served) =>
      Promise.resolve(writeAltTexts({ bytes: served, type: 'jpeg' }, [{ language: 'en', text: 'A lake' }])),
  ],
  ['an orientation', async (served) => Promise.resolve(withOrientation(served, 'jpeg', 6))],
  ['a profile', async (served) => Promise.resolve(withProfile(served, 'jpeg', Buffer.alloc(500, 1)))],
]
const FILES = { ultraHdr, stereoPair, withLargePreview }

describeWith(programs('exiftool', 'djpeg'))('the index of a JPEG with several pictures', () => {
  it.each(WAYS)('has the length of the first and leads to the second after %s went in', async (_name, change) => {
    const dir = scratch()
    const original = await described(dir)
    for (const [name, make] of Object.entries(FILES)) {
      const served = await make()
      const second = served.subarray(lastOf(served))
      const made = await change(served, original)
      expect(made.length).toBeGreaterThan(served.length)
      const path = written(dir, `${name}.jpg`, made)
      const said = run('exiftool', ['-j', '-G1', '-a', '-MPF:all', '-validate', '-warning', '-error', path]).toString()
      const [read] = JSON.parse(said) as [Record<string, unknown>]
      expect(read).toMatchObject({
        'MPImage1:MPImageLength': made.length - second.length,
        'MPImage2:MPImageLength': second.length,
      })
      expect(said).not.toMatch(/"ExifTool:(?:Error|Warning)": "[^"]*(?:MPF|MPImage|MPEntry|trunc|corrupt)/i)
      // exiftool calls a larger preview by another name.
      const extracted = run('exiftool', ['-b', name === 'withLargePreview' ? '-PreviewImage' : '-MPImage2', path])
      expect([name, extracted.equals(second)]).toEqual([name, true])
    }
  })

  it('follows what moves a picture that stands in front of it: metadata behind the index that goes', async () => {
    const dir = scratch()
    const original = await described(dir)
    const plain = await stereoPair()
    const second = plain.subarray(lastOf(plain))
    // An Exif segment right behind the index.
    const at = plain.indexOf('MPF\0', 0, 'latin1') - 4
    const indexEnd = at + 2 + plain.readUInt16BE(at + 2)
    const block = exifBlock(1, 'II')
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, block.length + 8]), Buffer.from('Exif\0\0'), block])
    const served = Buffer.concat([plain.subarray(0, indexEnd), segment, plain.subarray(indexEnd)])
    served.writeUInt32BE(served.readUInt32BE(at + 4 + 58) + segment.length, at + 4 + 58)
    served.writeUInt32BE(served.readUInt32BE(at + 4 + 78) + segment.length, at + 4 + 78)
    const before = written(dir, 'before.jpg', served)
    expect(run('exiftool', ['-b', '-MPImage2', before]).equals(second)).toBe(true)
    const path = written(dir, 'after.jpg', await kept(original, served))
    expect(run('exiftool', ['-b', '-MPImage2', path]).equals(second)).toBe(true)
  })

  it('stays byte for byte where it was not right before, and the pictures are whole', async () => {
    const dir = scratch()
    const original = await described(dir)
    const served = await stereoPair()
    const at = served.indexOf('MPF\0', 0, 'latin1')
    const wheres = [8, 8, 14 + 2 * 12 + 8, 14 + 2 * 12 + 4, 58, 58, 78, 78]
    const values = [0xffffffff, 90, 0xfffffff0, 0xfffffff0, 1, 0xffffffff, 0xffffffff, 3]
    for (const [nth, value] of values.entries()) {
      const where = wheres[nth]!
      const changed = Buffer.from(served)
      changed.writeUInt32BE(value, at + where)
      const made = await kept(original, changed)
      const index = made.indexOf('MPF\0', 0, 'latin1')
      const [was, is] = [changed.subarray(at + where, at + where + 4), made.subarray(index + where, index + where + 4)]
      expect([where, value, is]).toEqual([where, value, was])
      expect(made.subarray(lastOf(made)).equals(served.subarray(lastOf(served)))).toBe(true)
      expect(run('djpeg', ['-pnm'], made).equals(run('djpeg', ['-pnm'], served))).toBe(true)
    }
  })
})
