/**
 * Pictures of the built window on a practice service, with the scene that the tests use: each view, light and dark. Names
 * of views as arguments take those alone; `watched-folder` is a short clip. `--grid DIR` takes them into that folder instead, in
 * several widths, looks and languages. Runs under a Node that reads TypeScript.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { openApp, WHOLE_APP } from '../test/e2e/app-world.ts'
import { useService } from '../test/e2e/by-hand.ts'
import { setScene } from '../test/e2e/scene.ts'
import { root, say } from './project.mjs'
import { CLIP, writeClip } from './screenshot-clip.mjs'
import { isInGrid, takeGrid } from './screenshot-grid.mjs'
import { comeBack, FIRST_VIEW, isDrawn, VIEWS } from './screenshot-views.mjs'

const FOLDER = path.join(root, 'docs', 'screenshots')
const WIDE = { width: 1280, height: 800 }
const MAX_BYTES = 150_000
const MAX_CLIP_BYTES = 2_000_000
/** A person's, where one may be made. */
const HOME = process.getuid?.() === 0 ? '/home/anna' : path.join(tmpdir(), 'anna')
/** Fixed, because the window shows it. */
const PORT = 4180

const { values, positionals: wanted } = parseArgs({ allowPositionals: true, options: { grid: { type: 'string' } } })
const isNamed = ({ name }) => wanted.length === 0 || wanted.includes(name)
const isWanted = (view) => isNamed(view) && (values.grid === undefined || isInGrid(view))

async function take(page, view) {
  if (values.grid !== undefined) return takeGrid(page, view, path.resolve(values.grid))
  const { name, open, size = WIDE } = view
  await page.setViewportSize(size)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    await isDrawn(page)
    const file = path.join(FOLDER, `${name}-${colorScheme}.webp`)
    const picture = await page.screenshot({ animations: 'disabled' })
    const small = await sharp(picture).webp({ quality: 88, smartSubsample: true, effort: 6 }).toBuffer()
    if (small.length > MAX_BYTES) throw new Error(`${file} has ${small.length} bytes, more than ${MAX_BYTES}`)
    await writeFile(file, small)
    say(`${path.relative(root, file)} (${Math.round(small.length / 1000)} kB)`)
  }
}

if (WHOLE_APP !== null) throw new Error(`Pictures of the window need ${WHOLE_APP}.`)
await mkdir(FOLDER, { recursive: true })
const address = `http://localhost:${PORT}/api/v1`
const practice = { port: PORT, credits: 1840, seed: 1 }
if (wanted.length === 0 || wanted.some((name) => name !== CLIP)) await takeViews()
if (isWanted({ name: CLIP })) await takeClip()

async function takeViews() {
  const world = await openApp({ home: HOME, practice })
  try {
    if (isWanted(FIRST_VIEW)) await take(world.page, FIRST_VIEW)
    await useService(world, address)
    await setScene(world)
    for (const view of VIEWS.filter(isWanted)) {
      await comeBack(world.page)
      await take(world.page, view)
    }
  } finally {
    await world.close()
  }
}

async function takeClip() {
  const world = await openApp({ home: HOME, practice: { ...practice, jobTime: { kind: 'fixed', ms: 900 } } })
  try {
    const file = path.join(FOLDER, `${CLIP}.webp`)
    const bytes = await writeClip(world, address, file, MAX_CLIP_BYTES)
    say(`${path.relative(root, file)} (${Math.round(bytes / 1000)} kB)`)
  } finally {
    await world.close()
  }
}
