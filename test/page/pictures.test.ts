import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { SetAside } from '../../src/main/files/set-aside.ts'
import { Pictures } from '../../src/main/page/pictures.ts'
import { PREVIEWS_FOLDER, ThumbCache } from '../../src/main/page/thumb-cache.ts'
import { builtChildren } from '../built-children.ts'
import { tempFolder } from '../files/temp-folder.ts'
import { noise } from '../images/pictures.ts'
import { quiet } from '../simulation/world.ts'
import { jobView } from './make-view.ts'

const picturesIn = (dir: string, cache: ThumbCache) =>
  new Pictures({ child: builtChildren, clock: realClock, cache, setAside: new SetAside(dir), log: quiet })

it('A thumbnail that is being kept is on the disk before the data folder is let go, and none is kept later', async () => {
  const dir = await tempFolder()
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
    await writeFile(join(dir, name), await noise(40, 30, name.charCodeAt(0)).jpeg().toBuffer())
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  class SlowCache extends ThumbCache {
    override async put(sha256: string, bytes: Uint8Array): Promise<void> {
      begun.resolve()
      await goOn.promise
      await super.put(sha256, bytes)
    }
  }
  const pictures = picturesIn(dir, new SlowCache(dir, quiet))
  const made = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name, n) =>
    pictures.of(
      jobView(
        { source: { path: join(dir, name), sizeBytes: 1, mtimeNs: '1' }, rootDir: dir, image: null, outputs: [] },
        n,
      ),
      'thumb',
    ),
  )
  await begun.promise
  let isClosed = false
  const closed = pictures.close().then(() => (isClosed = true))
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(isClosed).toBe(false)
  goOn.resolve()
  await closed
  const kept = await readdir(join(dir, PREVIEWS_FOLDER), { recursive: true })
  await Promise.all(made)
  expect(kept.filter((name) => name.endsWith('.webp'))).not.toEqual([])
  expect(await readdir(join(dir, PREVIEWS_FOLDER), { recursive: true })).toEqual(kept)
})

it('What the service gave and was not taken is shown from where it is kept', async () => {
  const dir = await tempFolder()
  const pictures = picturesIn(dir, new ThumbCache(dir, quiet))
  try {
    const job = jobView({ image: null, outputs: [] }, 1)
    expect(await pictures.of(job, 'served')).toBeNull()
    await new SetAside(dir).keep(job.id, await noise(40, 30).jpeg().toBuffer(), 'jpg')
    const shown = await pictures.of(job, 'served')
    expect(shown?.type).toBe('image/webp')
  } finally {
    await pictures.close()
  }
})
