/**
 * What the map of chargers costs with fifty thousand of them: the real web shell, which read them from the practice service,
 * and a real Chromium; beside it plain markers of Leaflet and its cluster plugin with the same chargers.
 * Run: node bench/map/main.ts [--chargers N] [--rounds N] [--only-hangar] [--json FILE]. Needs a build and /usr/bin/chromium. Reading
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
import { measureHangar, measurePlain, MOVED_WITHIN_MS, newRecordingPage, type MapRun } from './measure-map.ts'
import { servePlain } from './plain-server.ts'
import { serveChargers } from './serve-chargers.ts'

const { values } = parseArgs({
  options: {
    chargers: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '5' },
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
    await first.locator('.rail-places').getByRole('link', { name: 'Chargers' }).click()
    const address = new URL('/', served.url).href
    const data = await readAll(first)
    await first.close()
    const runs: MapRun[] = []
    for (let round = 0; round < rounds; round += 1) runs.push(await measureHangar(browser, context, address))
    return { runs, result: data }
  } finally {
    await served.close()
  }
}

/** The chargers as the shell serves them to the page, once it has read them all. */
async function readAll(page: Page): Promise<Uint8Array> {
  const untilMs = performance.now() + READ_WITHIN_MS
  while (performance.now() < untilMs) {
    const text = await page.evaluate(async () => {
      // The page's own address for them has its secret.
      const asked = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('chargers.json'))
      const response = asked === undefined ? null : await fetch(asked.name)
      return response?.ok === true ? response.text() : null
    })
    if (text !== null && (JSON.parse(text) as unknown[]).length >= count) return Buffer.from(text)
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
  const filtering = runs.flatMap(({ filteringCpuMs }) => filteringCpuMs ?? [])
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
    'Typing and filtering: longest task, processor time': filtering.length === 0 ? '–' : ms(median(filtering)),
    'Memory of the page, more than without': `${(of(({ memoryBytes }) => memoryBytes) / 1e6).toFixed(0)} MB`,
  }
}

function print(): void {
  const names = [...columns.keys()]
  const facts = Object.keys(columns.values().next().value ?? {})
  const table = [
    [`${count} chargers`, ...names],
    ...facts.map((fact) => [fact, ...names.map((name) => columns.get(name)?.[fact] ?? '–')]),
  ]
  process.stdout.write(`${tableText(table)}\n\n${NOTE}\n`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(columns), null, 2)}\n`)
}

function tableText(table: readonly (readonly string[])[]): string {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(table[0]!), rule, ...table.slice(1).map(line)].join('\n')
}
