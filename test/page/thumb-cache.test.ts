import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PREVIEWS_FOLDER, ThumbCache } from '../../src/main/page/thumb-cache.ts'
import { NO_OWN_PLACES } from '../../src/main/watch/own-places.ts'
import { findImages } from '../../src/main/watch/find-images.ts'
import { sha256, tempFolder } from '../files/temp-folder.ts'
import { quiet } from '../simulation/world.ts'

const webp = (bytes: number) => {
  const file = Buffer.alloc(bytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(bytes - 8, 4)
  file.write('WEBP', 8, 'latin1')
  return file
}
const names = async (dir: string) =>
  (await readdir(join(dir, PREVIEWS_FOLDER), { recursive: true })).filter((name) => name.endsWith('.webp'))

describe('kept thumbnails', () => {
  it('are found again by another start', async () => {
    const dir = await tempFolder()
    await new ThumbCache(dir, quiet).put(sha256('a'), webp(100))
    expect(await new ThumbCache(dir, quiet).get(sha256('a'))).toEqual(webp(100))
    expect(await new ThumbCache(dir, quiet).get(sha256('b'))).toBeNull()
  })

  it('are pictures to send in no folder that holds the data folder, nor in the one they lie in', async () => {
    const dir = await tempFolder()
    await new ThumbCache(dir, quiet).put(sha256('a'), webp(100))
    const options = { include: [], exclude: [], leftOut: [], own: NO_OWN_PLACES }
    expect((await findImages([dir], options)).images).toEqual([])
    const [name] = await names(dir)
    const inside = await findImages([join(dir, PREVIEWS_FOLDER), join(dir, PREVIEWS_FOLDER, name!)], options)
    expect(inside.images).toEqual([])
    expect(inside.problems.map(({ reason }) => reason.code)).toEqual(['own_file', 'own_file'])
  })

  it('lose the oldest when there are too many bytes, those of earlier starts too', async () => {
    const dir = await tempFolder()
    const early = new ThumbCache(dir, quiet, 1000)
    for (let n = 0; n < 10; n += 1) await early.put(sha256(`early ${n}`), webp(100))
    const later = new ThumbCache(dir, quiet, 1000)
    for (let n = 0; n < 5; n += 1) await later.put(sha256(`later ${n}`), webp(100))
    expect((await names(dir)).length).toBeLessThanOrEqual(10)
    for (let n = 0; n < 5; n += 1) expect(await later.get(sha256(`later ${n}`))).not.toBeNull()
  })

  it('give nothing that is no whole WebP, and take no name from outside', async () => {
    const dir = await tempFolder()
    const cache = new ThumbCache(dir, quiet)
    await cache.put(sha256('a'), webp(50))
    const [name] = await names(dir)
    for (const bytes of ['<script>', webp(50).subarray(0, 40)]) {
      await writeFile(join(dir, PREVIEWS_FOLDER, name!), bytes)
      expect(await cache.get(sha256('a'))).toBeNull()
    }
    await cache.put('../../escape', webp(50))
    expect(await cache.get('../../escape')).toBeNull()
    expect(await readdir(dir)).toEqual([PREVIEWS_FOLDER])
  })

  it('cost nothing but a line in the log when they cannot be written', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, PREVIEWS_FOLDER), 'a file where the folder should be')
    const warnings: string[] = []
    const cache = new ThumbCache(dir, { ...quiet, warn: (message) => warnings.push(message) })
    await cache.put(sha256('a'), webp(50))
    expect(warnings).toHaveLength(1)
    expect(await readFile(join(dir, PREVIEWS_FOLDER), 'utf8')).toContain('a file')
  })
})
