/**
 * What the map of chargers costs with fifty thousand of them: the real web shell, which read them from the practice service,
 * and a real Chromium; beside it plain markers of Leaflet and its cluster plugin with the same chargers.
 * Then routes, planned by the window's own worker, and the map with one on it.
 * Run: node bench/map/main.ts [--chargers N] [--rounds N] [--routes N] [--only-hangar] [--json FILE]. Needs a build and /usr/bin/chromium. Reading
 * the chargers takes a while: the service allows 120 requests a minute.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../test/browser.ts'
import { countStolen } from '../busy.ts'
import {
  measureHangar,
  measurePlain,
  measureRoutes,
  measureWithRoute,
  MOVED_WITHIN_MS,
  newRecordingPage,
  type MapMoves,
  type MapRun,
  type RouteAnswered,
} from './measure-map.ts'
import { servePlain } from './plain-server.ts'
import { routeQueries } from './route-queries.ts'
import { serveChargers } from './serve-chargers.ts'

const { values } = parseArgs({
  options: {
    chargers: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
    routes: { type: 'string', default: '40' },
    'only-hangar': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const [count, rounds] = [Number(values.chargers), Number(values.rounds)]
const VIEWPORT = { width: 1280, height: 800 }
/** Twice what the rate limit asks for. */
const READ_WITHIN_MS = (count / 200 / 120) * 60_000 * 2 + 120_000

const NOTE =
  'Hangar works on the chargers while they arrive, the others begin with the last byte: the second figure compares them.'

type Figures = Record<string, string>

/** Aircraft of the routes: one that names no connectors, so that every charger counts. */
const AIRCRAFT = {
  '75 less 15 NM': 'range=75&reserve=15&speed=90&energy=22',
  '150 less 30 NM': 'range=150&reserve=30&speed=90&energy=44',
}
const routes: { name: string; first: RouteAnswered; direct: RouteAnswered[]; via: RouteAnswered[] }[] = []
const withRoute: { shown: MapMoves; hidden: MapMoves }[] = []

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`

const dir = mkdtempSync(join(tmpdir(), 'hangar-bench-map-'))
const columns = new Map<string, Figures>()
try {
  const chargers = await measured('Hangar', hangar)
  if (!values['only-hangar']) {
    const plain = await servePlain(chargers)
    for (const [name, kind] of [
      ['markercluster', 'cluster'],
      ['Leaflet markers', 'markers'],
    ] as const)
      await measured(name, (browser) => leaflet(browser, `${plain.origin}/pages/leaflet.html?kind=${kind}`))
    await plain.close()
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 })
}
print()

/** Each in a browser of its own, so that one does not pay for another. */
async function measured<Result>(
  name: string,
  run: (browser: Browser) => Promise<{ runs: MapRun[]; result: Result }>,
): Promise<Result> {
  const browser = await launchChromium('whole')
  try {
    const stolen = countStolen()
    const { runs, result } = await run(browser)
    columns.set(name, { ...figuresOf(runs), 'Processor time that others on the host took meanwhile': stolen() })
    return result
  } finally {
    await browser.close()
  }
}

async function hangar(browser: Browser): Promise<{ runs: MapRun[]; result: Uint8Array }> {
  const served = await serveChargers(count, dir)
  try {
    const context = await browser.newContext({ viewport: VIEWPORT })
    const first = await newRecordingPage(context)
    await first.goto(served.url)
    await first.getByRole('button', { name: 'Decide later' }).click()
    const address = new URL('/', served.url).href
    const data = await readAll(first)
    await first.close()
    const runs: MapRun[] = []
    for (let round = 0; round < rounds; round += 1) runs.push(await measureHangar(browser, context, address))
    for (const [name, aircraft] of Object.entries(AIRCRAFT)) {
      const { direct, via } = routeQueries(data, Number(values.routes), aircraft)
      const [first, ...answered] = await measureRoutes(context, address, [direct[0]!, ...direct, ...via])
      routes.push({ name, first: first!, direct: answered.slice(0, direct.length), via: answered.slice(direct.length) })
      if (withRoute.length > 0) continue
      const drawn = direct[answered.findIndex(({ kind }) => kind === 'routes')]
      for (let round = 0; drawn !== undefined && round < rounds; round += 1)
        withRoute.push(await measureWithRoute(browser, context, address, drawn))
    }
    return { runs, result: data }
  } finally {
    await served.close()
  }
}

/** The chargers as the shell serves them, once it has read them all. */
async function readAll(page: Page): Promise<Uint8Array> {
  const untilMs = performance.now() + READ_WITHIN_MS
  while (performance.now() < untilMs) {
    // As the page itself asks: others get nothing.
    const text = await page.evaluate(async () => {
      const response = await fetch('/chargers.json')
      return response.ok ? response.text() : null
    })
    if (text !== null && (JSON.parse(text) as { chargers: unknown[] }).chargers.length >= count)
      return Buffer.from(text)
    await page.waitForTimeout(2000)
  }
  throw new Error('the chargers were not read in time')
}

async function leaflet(browser: Browser, address: string): Promise<{ runs: MapRun[]; result: null }> {
  const runs: MapRun[] = []
  // Plain markers take minutes: one look at them says enough.
  for (let round = 0; round < (address.endsWith('markers') ? 1 : rounds); round += 1) {
    const context = await browser.newContext({ viewport: VIEWPORT })
    const run = await measurePlain(browser, context, address)
    runs.push(run)
    // A page that does not answer any more is left to the end of its browser.
    if (run.moved === null) break
    await context.close()
  }
  return { runs, result: null }
}

function figuresOf(runs: readonly MapRun[]): Figures {
  const of = (pick: (run: MapRun) => number) => median(runs.map(pick))
  const typed = runs.flatMap(({ typedMs }) => typedMs)
  const moved = runs.flatMap((run) => run.moved ?? [])
  const move = (pick: (movements: NonNullable<MapRun['moved']>) => number) =>
    moved.length < runs.length ? `not moved within ${MOVED_WITHIN_MS / 1000} s` : ms(median(moved.map(pick)))
  return {
    Rounds: String(runs.length),
    'From the last byte of the chargers to the first markers': ms(of(({ pictureMs }) => pictureMs)),
    'From asking for the chargers to the first markers': ms(of(({ wholeMs }) => wholeMs)),
    'Dragging the map: longest task': move(({ pan }) => pan.longestTaskMs),
    'Dragging the map: longest task, processor time': move(({ pan }) => pan.longestTaskCpuMs),
    'Dragging the map: time between frames, 95th percentile': move(({ pan }) => pan.frameP95Ms),
    'Zooming in and out: longest task': move(({ zoom }) => zoom.longestTaskMs),
    'Zooming in and out: longest task, processor time': move(({ zoom }) => zoom.longestTaskCpuMs),
    'Zooming in and out: time between frames, 95th percentile': move(({ zoom }) => zoom.frameP95Ms),
    'From a typed letter to the count, median': typed.length === 0 ? '–' : ms(median(typed)),
    'From a typed letter to the count, longest': typed.length === 0 ? '–' : ms(Math.max(...typed)),
    'Memory of the page with its workers, more than without': `${(of(({ memoryBytes }) => memoryBytes) / 1e6).toFixed(0)} MB`,
  }
}

function print(): void {
  const names = [...columns.keys()]
  const facts = Object.keys(columns.values().next().value ?? {})
  const table = [
    [`${count} chargers`, ...names],
    ...facts.map((fact) => [fact, ...names.map((name) => columns.get(name)?.[fact] ?? '–')]),
  ]
  process.stdout.write(`${tableText(table)}\n\n${NOTE}\n\n${routesText()}\n\n${withRouteText()}\n`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(columns), null, 2)}\n`)
}

function routesText(): string {
  const found = (answered: readonly RouteAnswered[]) => answered.filter(({ kind }) => kind === 'routes').length
  const slowest = (answered: readonly RouteAnswered[]) => ms(Math.max(...answered.map((one) => one.ms)))
  const middle = (answered: readonly RouteAnswered[]) => ms(median(answered.map((one) => one.ms)))
  return tableText([
    [
      'From asking the worker for a route to its answer',
      'the first',
      'median',
      'slowest',
      'by a via point',
      'slowest of these',
      'with a route',
    ],
    ...routes.map(({ name, first, direct, via }) => [
      name,
      ms(first.ms),
      // The first again: its search is kept.
      middle(direct.slice(1)),
      slowest(direct.slice(1)),
      middle(via),
      slowest(via),
      `${found(direct) + found(via)} of ${direct.length + via.length}`,
    ]),
  ])
}

function withRouteText(): string {
  const of = (kind: 'shown' | 'hidden', pick: (moves: MapMoves) => number) =>
    ms(median(withRoute.map((one) => pick(one[kind]))))
  const row = (name: string, pick: (moves: MapMoves) => number) => [name, of('shown', pick), of('hidden', pick)]
  return tableText([
    [`${count} chargers, the same place`, 'with a route', 'without'],
    ['Rounds', String(withRoute.length), String(withRoute.length)],
    row('Dragging the map: longest task', ({ pan }) => pan.longestTaskMs),
    row('Dragging the map: longest task, processor time', ({ pan }) => pan.longestTaskCpuMs),
    row('Dragging the map: time between frames, 95th percentile', ({ pan }) => pan.frameP95Ms),
    row('Zooming in and out: longest task', ({ zoom }) => zoom.longestTaskMs),
    row('Zooming in and out: longest task, processor time', ({ zoom }) => zoom.longestTaskCpuMs),
    row('Zooming in and out: time between frames, 95th percentile', ({ zoom }) => zoom.frameP95Ms),
  ])
}

function tableText(table: readonly (readonly string[])[]): string {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(table[0]!), rule, ...table.slice(1).map(line)].join('\n')
}
