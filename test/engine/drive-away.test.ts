import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createFiles } from '../../src/main/engine/engine-files.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import type { OutputPolicy } from '../../src/shared/recipes/recipe.ts'
import { builtChildren } from '../built-children.ts'
import { makeSidecar } from '../files/make-sidecar.ts'
import { jobId } from '../files/temp-folder.ts'
import { folderForTest } from '../temp-folder.ts'

let dir: string
beforeEach(async () => {
  dir = folderForTest()
  await mkdir(join(dir, 'drive/sub'), { recursive: true })
  await writeFile(join(dir, 'drive/sub/a.jpg'), 'a picture')
})

/** Writes a result and the sidecar of the picture on the drive. */
async function write(policy: OutputPolicy): Promise<PromiseSettledResult<unknown>[]> {
  const files = createFiles({ dataDir: join(dir, 'data'), child: builtChildren, clock: realClock })
  const place = files.place(join(dir, 'drive/sub/a.jpg'), join(dir, 'drive'), policy, null)
  const done = await Promise.allSettled([
    files
      .stage(place, jobId(1), 'optimized', (sink) => sink(Buffer.from('smaller')))
      .then((part) => files.discard(part)),
    files.writeSidecar(
      place,
      jobId(1),
      () => makeSidecar({}),
      () => false,
    ),
  ])
  await files.close()
  return done
}
const refused = { status: 'rejected', reason: { code: 'not_writable' } }

it.each(['drive', 'drive/sub'])(
  'results beside an original do not make its folder again when %s is away',
  async (away) => {
    await rename(join(dir, away), join(dir, 'away'))
    expect(await write({ kind: 'beside' })).toMatchObject([refused, refused])
    expect(await readdir(dir, { recursive: true })).not.toContain(away)
  },
)

it('results in another folder make that and the folders below it', async () => {
  const out = join(dir, 'a/new/one')
  expect(await write({ kind: 'folder', dir: out })).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
  expect(await readdir(join(out, 'sub'))).toEqual(['photo.jpg.alt.json'])
})
