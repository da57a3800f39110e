/**
 * What the desktop app takes of memory while it does thousands of small pictures in a real Electron: each process, once a minute.
 * Fails when a line of GLib is printed, or when a process takes a fifth more at the end than when it was warm. Linux; needs what
 * `npm run test:electron` needs. Run: node bench/desktop/main.ts [--pictures N]
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { startPractice } from '../../src/practice/server.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from '../../test/desktop/desktop-app.ts'
import { findRuntime } from '../../test/desktop/runtime/runtime-place.ts'
import { MemoryTable } from './memory-table.ts'

const { values } = parseArgs({ options: { pictures: { type: 'string', default: '2000' } } })
const COUNT = Number(values.pictures)
const KEY = 'the-key-of-this-bench-0123456789'
const MINUTE_MS = 60_000
/** Warm after this share of the pictures. */
const WARM = 0.2
const MAX_GROWTH = 1.2

async function fill(folder: string): Promise<void> {
  await mkdir(folder)
  for (let n = 0; n < COUNT; n += 1) {
    const [red, green, blue] = [n & 255, (n >> 3) & 255, (n * 7) & 255] as const
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 + (n % 20) }
    const picture = sharp({ create: { width: 320, height: 240, channels: 3, background: '#888', noise } })
    await picture
      .tint({ r: red, g: green, b: blue })
      .jpeg({ quality: 88 })
      .toFile(join(folder, `${n}.jpg`))
  }
}

async function add(app: DesktopApp, folder: string): Promise<void> {
  const { recipe } = (await app.state()).settings
  await app.call('intake.add', { paths: [await app.pick(folder)], recipe, confirmed: true })
}

async function run(): Promise<void> {
  const practice = await startPractice({
    apiKey: KEY,
    jobTime: { kind: 'fixed', ms: 300 },
    requestsPerMinute: 60_000,
    credits: 100 * COUNT,
    seed: 1,
  })
  const world = await DesktopWorld.open()
  try {
    const folder = join(world.dir, 'pictures')
    await fill(folder)
    const app = await world.start({ env: { HANGAR_SERVICE_URL: practice.imageBaseUrl, HANGAR_API_KEY: KEY } }).ready()
    await app.call('settings.set', { requestsPerMinute: 6000 })
    await add(app, folder)
    const table = new MemoryTable('done')
    const startedMs = performance.now()
    const ended = (counts: Awaited<ReturnType<DesktopApp['counts']>>) =>
      counts.done + counts.failed + counts.held + counts.skipped + counts.unknown
    let counts = await app.counts()
    for (let nextMs = 0; ended(counts) < COUNT; counts = await app.counts()) {
      const nowMs = performance.now() - startedMs
      if (nowMs >= nextMs) {
        table.add(nowMs / MINUTE_MS, String(counts.done), app.processes())
        nextMs += MINUTE_MS
      }
      await delay(500)
    }
    const tookMs = performance.now() - startedMs
    table.add(tookMs / MINUTE_MS, String(counts.done), app.processes())
    const lines = app.stderr.split('\n').filter((line) => /GLib|g_object|assertion/.test(line)).length
    console.log(
      `Electron ${findRuntime()!.version}; ${COUNT} pictures of 320 × 240 in ${(tookMs / 1000).toFixed(0)} s; MiB (PSS).\n`,
    )
    console.log(table.text())
    const grown = table.growth((label) => Number(label) >= COUNT * WARM)
    const others = Object.entries(counts).filter(([state, count]) => state !== 'done' && count > 0)
    console.log(
      `\nLines of GLib: ${lines}. Grown since a fifth was done: ${grown.toFixed(2)} times. Not done: ${JSON.stringify(others)}.`,
    )
    if (lines > 0 || grown > MAX_GROWTH || others.length > 0) process.exitCode = 1
    await app.quit()
  } finally {
    await world.close()
    await practice.close()
  }
}

if (REAL_ELECTRON === null) await run()
else console.log(`Not measured: it needs ${REAL_ELECTRON}.`)
