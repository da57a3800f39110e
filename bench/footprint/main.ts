/**
 * What the desktop app takes beside an empty window of the same Electron with the same flags: until it is ready, in memory,
 * and of the processor while it has nothing to do and its window is hidden. Linux; needs what `npm run test:electron` needs.
 * Run: node bench/footprint/main.ts [--starts N] [--idle SECONDS] [--threads]
 */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from '../../test/desktop/desktop-app.ts'
import { findRuntime, ROOT } from '../../test/desktop/runtime/runtime-place.ts'
import { until } from '../../test/until.ts'
import { memoryKb, since, worked } from './process-figures.ts'

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    idle: { type: 'string', default: '60' },
    threads: { type: 'boolean', default: false },
  },
})
/** Caches are written and what the start left is collected. */
const SETTLE_MS = 40_000
const READY = 'the window is ready'
const READY_AT = new RegExp(`${READY}.*"atMs":(\\d+)`)

interface Side {
  name: string
  app: string
  title: string
  /** What it prints or logs, with the line that says when its window was shown. */
  says: (app: DesktopApp) => Promise<string>
}

interface Footprint {
  readyMs: number
  shownKb: number
  hiddenKb: number
  ticks: number
  ranMs: number
  waits: Map<string, number>
}

async function emptyApp(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hangar-empty-'))
  await mkdir(join(dir, 'out/main'), { recursive: true })
  await copyFile(join(import.meta.dirname, 'empty-window.mjs'), join(dir, 'out/main/index.js'))
  await writeFile(join(dir, 'package.json'), '{ "type": "module", "main": "out/main/index.js" }')
  return dir
}

/** `readyMs`: from the start of the process until the window was shown. */
async function start({ app, says }: Side, world: DesktopWorld): Promise<{ app: DesktopApp; readyMs: number }> {
  const startedMs = Date.now()
  const started = world.start({ app, inspected: false })
  let atMs: string | undefined
  await until(READY, async () => {
    atMs = READY_AT.exec(await says(started))?.[1]
    return atMs !== undefined
  })
  return { app: started, readyMs: Number(atMs) - startedMs }
}

/** How long each takes, in milliseconds; alternated, so that a machine that grows busy treats them alike. */
async function timeStarts(sides: readonly Side[]): Promise<number[][]> {
  const times: number[][] = sides.map(() => [])
  for (let round = 0; round < Number(values.starts); round += 1)
    for (const [at, side] of sides.entries()) {
      const world = await DesktopWorld.open()
      times[at]!.push((await start(side, world)).readyMs)
      await world.close()
    }
  return times
}

async function measure(side: Side): Promise<Omit<Footprint, 'readyMs'>> {
  const world = await DesktopWorld.open()
  try {
    const { app } = await start(side, world)
    await delay(SETTLE_MS)
    const pids = () => app.processes().map(({ pid }) => pid)
    const shownKb = memoryKb(pids())
    const visible = () =>
      world.desktop.xdotool('search', '--onlyvisible', '--all', '--pid', String(app.process.pid), '--name', side.title)
    await world.desktop.xdotool('windowactivate', '--sync', await visible(), 'key', 'alt+F4')
    await until('its window is hidden', async () => (await visible()) === '')
    await delay(SETTLE_MS)
    const hiddenKb = memoryKb(pids())
    const before = worked(app.processes())
    await delay(Number(values.idle) * 1000)
    return { shownKb, hiddenKb, ...since(before, worked(app.processes())) }
  } finally {
    await world.close()
  }
}

const middle = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1]!
const total = (waits: Map<string, number>) => [...waits.values()].reduce((sum, count) => sum + count, 0)

if (REAL_ELECTRON === null) await compare()
else console.log(`Not measured: it needs ${REAL_ELECTRON}.`)

async function compare(): Promise<void> {
  const empty = await emptyApp()
  const sides: [Side, Side] = [
    { name: 'Hangar', app: ROOT, title: 'Hangar', says: (app) => app.log() },
    { name: 'empty', app: empty, title: 'Empty', says: (app) => Promise.resolve(app.stderr) },
  ]
  const [hangarMs, bareMs] = await timeStarts(sides)
  const hangar: Footprint = { readyMs: middle(hangarMs!), ...(await measure(sides[0])) }
  const bare: Footprint = { readyMs: middle(bareMs!), ...(await measure(sides[1])) }
  await rm(empty, { recursive: true })
  const row = (what: string, of: (one: Footprint) => number, unit: string) =>
    console.log(
      `| ${what} | ${of(hangar).toFixed(0)} ${unit} | ${of(bare).toFixed(0)} ${unit} | ${(of(hangar) / of(bare)).toFixed(2)} |`,
    )
  console.log(`Electron ${findRuntime()!.version}; medians of ${values.starts} starts, each with new data.\n`)
  console.log('|  | Hangar | empty window | ratio |\n| --- | --- | --- | --- |')
  row('start until its window is ready', ({ readyMs }) => readyMs, 'ms')
  row('memory of all processes (PSS)', ({ shownKb }) => shownKb / 1024, 'MiB')
  row('… with the window hidden', ({ hiddenKb }) => hiddenKb / 1024, 'MiB')
  console.log(
    `\nIn ${values.idle} seconds with the window hidden: ${hangar.ticks} ticks of 10 ms of processor time beside ${bare.ticks}, ${hangar.ranMs.toFixed(0)} ms beside ${bare.ranMs.toFixed(0)} as the scheduler measured it, and ${total(hangar.waits)} context switches beside ${total(bare.waits)}.`,
  )
  if (!values.threads) return
  for (const name of new Set([...hangar.waits.keys(), ...bare.waits.keys()]))
    console.log(`${name.padEnd(60)} ${hangar.waits.get(name) ?? '–'} ${bare.waits.get(name) ?? '–'}`)
}
