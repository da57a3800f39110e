import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { noise } from '../images/pictures.ts'
import { runToEnd } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:d="http://www.dji.com/drone-dji/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" d:GpsLatitude="47.376887"><dc:rights>Rights of Ann</dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>'
const picture = (seed: number): Promise<Buffer> =>
  noise(120, 90, seed)
    .withXmp(XMP)
    .withExif({ IFD0: { Artist: 'Ann Lee' } })
    .jpeg({ quality: 98 })
    .toBuffer()

it('puts the credits that the service dropped back into its file, which is known as it stands there', async () => {
  const original = await picture(1)
  await writeFile(join(world.pictures, 'a.jpg'), original)
  const engine = await world.engine(world.newDataFolder())
  const [job] = await runToEnd(engine, [world.pictures])
  const results = job!.outputs.filter(({ role }) => role !== 'sidecar')
  expect(results.map(({ role }) => role).sort()).toEqual(['converted', 'optimized'])
  for (const { path } of results) {
    const bytes = await readFile(path)
    const { xmp } = await sharp(bytes).metadata()
    expect(xmp?.toString()).toMatch(/<dc:creator><rdf:Seq><rdf:li>Ann Lee<.*Rights of Ann|Rights of Ann.*Ann Lee/s)
    expect(bytes.includes('47.376887')).toBe(false)
  }
  expect((await readFile(join(world.pictures, 'a.jpg'))).equals(original)).toBe(true)
  // Its own results are known by what was written, not by what came: here, and on a computer that has the sidecars only.
  const before = await world.listing()
  await runToEnd(engine, [world.pictures])
  await world.stop(engine)
  await runToEnd(await world.engine(world.newDataFolder()), [world.pictures])
  expect(await world.listing()).toEqual(before)
  expect(world.charges).toHaveLength(1)
})
