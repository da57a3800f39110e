/**
 * What the window costs with a hundred thousand jobs: the real web shell on a seeded journal, a real Chromium, 200 changes a second.
 * Run: node bench/ui/main.ts [--jobs N] [--rounds N] [--minutes N] [--page DIR] [--json FILE]. Needs a build and
 * /usr/bin/chromium.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { firstLoadSize } from '../../scripts/check-size.mjs'
import { launchChromium } from '../../test/browser.ts'
import { countStolen } from '../busy.ts'
import { firstPaint, heapGrowth, scrollPlainPage, untilThere, useList, type PageRun } from './measure-page.ts'
import { seedJournal } from './seed-journal.ts'
import { serveSeeded, startServe } from './served.ts'

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '10' },
    page: { type: 'string', default: join(import.meta.dirname, '..', '..', 'out', 'renderer') },
    json: { type: 'string' },
  },
})
const [jobs, rounds, minutes] = [Number(values.jobs), Number(values.rounds), Number(values.minutes)]
const CHANGES = 200
const ADDED = 20

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const dir = mkdtempSync(join(tmpdir(), 'hangar-bench-ui-'))
const browser = await launchChromium('whole')
const rows: [string, string][] = []
const stolen = countStolen()
try {
  const seconds = await seeded()
  rows.push(['Jobs in the journal', `${jobs} (seeded in ${seconds.toFixed(0)} s)`])
  await measureList()
  await measureEmpty()
  await measureStart()
  const size = firstLoadSize(values.page)
  rows.push([
    'First load in the longest language, gzip',
    `${(size.gzipBytes / 1024).toFixed(0)} KB in ${size.files.length} files`,
  ])
  rows.push(['Processor time that others on the host took meanwhile', stolen()])
} finally {
  await browser.close()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 1000 })
}
print()

async function seeded(): Promise<number> {
  const beganAtMs = performance.now()
  await seedJournal(join(dir, 'full'), '/pictures', jobs, Date.now())
  return (performance.now() - beganAtMs) / 1000
}

async function measureList(): Promise<void> {
  const shell = await serveSeeded(join(dir, 'full'), values.page)
  const runs: PageRun[] = []
  const changing = (on: boolean) => shell.send({ changes: on ? CHANGES : 0, added: on ? ADDED : 0 })
  for (let round = 0; round < rounds; round += 1) runs.push(await useList(browser, await shell.link(), changing))
  const of = (pick: (run: PageRun) => number) => median(runs.map(pick))
  rows.push([`Page asked for until the list shows, median of ${rounds}`, ms(of((run) => run.loadMs))])
  rows.push([`Longest task while scrolling and searching, ${CHANGES} changes/s`, ms(of((run) => run.longestTaskMs))])
  rows.push(['… in processor time', ms(of((run) => run.longestTaskCpuMs))])
  rows.push(['Tasks over 50 ms', of((run) => run.longTasks).toFixed(0)])
  const frames = of((run) => run.frames).toFixed(0)
  rows.push([`Time between frames, 95th percentile of ${frames}`, ms(of((run) => run.frameP95Ms))])
  const plain: number[] = []
  for (let round = 0; round < rounds; round += 1) plain.push(await scrollPlainPage(browser))
  rows.push(['… of a page of plain text, scrolled alike', ms(median(plain))])
  if (minutes > 0) {
    // No new jobs: a longer list may well take more room.
    shell.send({ changes: CHANGES, added: 0 })
    const { beforeBytes, afterBytes } = await heapGrowth(browser, await shell.link(), minutes)
    rows.push([`Heap of the page, then after ${minutes} min of that`, `${mb(beforeBytes)}, ${mb(afterBytes)}`])
  }
  await shell.close()
}

async function measureEmpty(): Promise<void> {
  await seedJournal(join(dir, 'empty'), '/pictures', 0, Date.now())
  const shell = await serveSeeded(join(dir, 'empty'), values.page)
  const paints: number[] = []
  for (let round = 0; round < rounds; round += 1)
    paints.push(await firstPaint(browser, await shell.link(), '.jobs-empty'))
  rows.push([`First paint with an empty journal, median of ${rounds}`, ms(median(paints))])
  await shell.close()
}

/** From the command being given to a page that can be used; the browser runs already. */
async function measureStart(): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const beganAtMs = performance.now()
    const served = await startServe(join(dir, `start-${round}`), dir)
    times.push((await untilUsable(browser, served.url)) - beganAtMs)
    await served.close()
  }
  rows.push([`From "hangar serve" to a usable page, median of ${rounds}`, ms(median(times))])
}

async function untilUsable(inBrowser: Browser, url: string): Promise<number> {
  const page = await inBrowser.newPage()
  await page.goto(url)
  await untilThere(page, '.jobs-empty')
  const atMs = performance.now()
  await page.close()
  return atMs
}

function print(): void {
  const width = Math.max(...rows.map(([name]) => name.length))
  const valueWidth = Math.max(...rows.map(([, value]) => value.length))
  const line = (name: string, value: string) => `| ${name.padEnd(width)} | ${value.padEnd(valueWidth)} |`
  const text = [line('Figure', 'Value'), `| ${'-'.repeat(width)} | ${'-'.repeat(valueWidth)} |`]
  process.stdout.write(`${[...text, ...rows.map(([name, value]) => line(name, value))].join('\n')}\n`)
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
}
