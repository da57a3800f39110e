import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

const VIEWS = join(import.meta.dirname, '../../scripts/screenshot-views.mjs')

it('the pictures of the window in the documentation find everything that they take from the tests', async () => {
  const views = (await import(pathToFileURL(VIEWS).href)) as { VIEWS: unknown[] }
  expect(views.VIEWS.length).toBeGreaterThan(10)
  const clip = (await import(pathToFileURL(join(VIEWS, '../screenshot-clip.mjs')).href)) as { CLIP: string }
  expect(clip.CLIP).toBe('watched-folder')
})
