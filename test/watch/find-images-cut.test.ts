import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { NO_OWN_PLACES } from '../../src/main/watch/own-places.ts'
import { findImages } from '../../src/main/watch/find-images.ts'
import { folderForTest } from '../temp-folder.ts'

let dir: string

beforeEach(() => {
  dir = folderForTest()
})

const nothing = { include: [], exclude: [], leftOut: [], own: NO_OWN_PLACES }

it('ends a search that takes too long with what was found, and says so', async () => {
  for (let n = 0; n < 300; n += 1) {
    await mkdir(join(dir, `${n}`))
    await writeFile(join(dir, `${n}`, 'a.jpg'), 'x')
  }
  const enough = new AbortController()
  const search = findImages([dir], { ...nothing, enough: enough.signal })
  setImmediate(() => enough.abort())
  const found = await search
  expect(found.isCut).toBe(true)
  expect(found.images.length).toBeLessThan(300)
  expect((await findImages([dir], nothing)).isCut).toBe(false)
})

it('still fails when it is called off', async () => {
  const signal = AbortSignal.abort(new Error('called off'))
  await expect(findImages([dir], { ...nothing, signal, enough: new AbortController().signal })).rejects.toThrow(
    'called off',
  )
})
