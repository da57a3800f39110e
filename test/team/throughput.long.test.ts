import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { drawPicture, type RunningCli, startCli, startPractice } from '../cli/harness.ts'
import { mostInWindow, parseLedger } from '../faults/invariants.ts'
import { readJobs } from '../faults/journal-view.ts'
import { BUILT, describeWith, need } from '../needs.ts'
import { until } from '../until.ts'
import { POSTGRES, PostgresServer } from './postgres.ts'

/** At the real limit, which takes real minutes: `npm run test:faults -- team`. In `npm run test:long` one small round. */
const IS_WHOLE = process.env['HANGAR_FAULTS'] === 'all'
const LIMIT = IS_WHOLE ? 60 : 600
const PICTURES = IS_WHOLE ? 256 : 8
/** For each computer, before: each learns for itself how long the service takes. */
const FIRST_PICTURES = IS_WHOLE ? 3 : 0
const MINUTE = 60_000
/** What is counted, from when the pictures came. No computer has sent its last picture before the end of it. */
const COUNTED = { fromMs: MINUTE, toMs: 10 * MINUTE }
/** Eight minutes: `meanInWindow` moves its window by one more. */
const COUNTED_MINUTES = (COUNTED.toMs - COUNTED.fromMs) / MINUTE - 1
const HOUR = 3_600_000

// The rows wait more than they work, so two run at a time. Of more, some commands did not start in time on two threads of one core.
vi.setConfig({ testTimeout: IS_WHOLE ? 1_800_000 : 300_000, maxConcurrency: 2 })

/** Makes the wall clock of a process wrong, not how fast it goes. */
const FAKETIME = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`
const wrongClock = (byMs: number): Record<string, string> =>
  byMs === 0
    ? {}
    : { LD_PRELOAD: FAKETIME, FAKETIME: `${byMs > 0 ? '+' : ''}${byMs / 1000}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }

/** By each computer, in the same order each time. */
const SENT = `SELECT coalesce(sum(sent), 0) AS sent FROM hangar.computers LEFT JOIN hangar.sent USING (account, computer)
  GROUP BY computer ORDER BY computer`

interface Outcome {
  /** A minute, in the time that is counted. */
  calls: number
  fetched: number
  /** In all. */
  charges: number
  contents: number
  refusals: number
  mostInAMinute: number
  /** Of the pictures that came together, how many each computer sent until half of them were. */
  sentByHalf: number[]
  /** When the first of the computers had sent all that it could send, after the pictures came. */
  firstIdleMs: number
}

describeWith(
  POSTGRES,
  BUILT,
  need('faketime', existsSync(FAKETIME)),
)('commands that share an account, with clocks hours apart', () => {
  let server: PostgresServer
  const base = mkdtempSync(join(tmpdir(), 'hangar-throughput-'))
  let rounds = 0

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(base, { recursive: true, force: true })
  })

  /** `hangar watch` as often as there are computers; without a ledger when it is one alone. */
  const watched = async (
    computers: number,
    layout: 'same folder' | 'own folders',
    most = computers,
  ): Promise<Outcome> => {
    const dir = join(base, `${(rounds += 1)}`)
    const ledgerFile = join(dir, 'service.jsonl')
    mkdirSync(dir)
    const practice = await startPractice({
      requestsPerMinute: LIMIT,
      credits: 100_000,
      jobTime: { kind: 'fixed', ms: 3000 },
      ledgerFile,
    })
    const database = computers > 1 ? await server.database() : null
    const folders = layout === 'same folder' ? 1 : computers
    for (let n = 0; n < folders; n += 1) mkdirSync(join(dir, `pictures-${n}`))
    const running: { cli: RunningCli; dataDir: string }[] = []
    try {
      for (let n = 0; n < computers; n += 1) {
        const folder = join(dir, `pictures-${n % folders}`)
        const dataDir = join(dir, `data-${n}`)
        const ledger = database && {
          HANGAR_LEDGER_URL: database.url,
          HANGAR_LEDGER_PASSWORD_FILE: database.passwordFile,
        }
        const env = { ...practice.env, ...ledger, ...wrongClock((n - Math.floor(computers / 2)) * 5 * HOUR) }
        const args = ['watch', folder, '--data-dir', dataDir, '--ask-above', '0', '--requests-per-minute', `${LIMIT}`]
        running.push({ cli: startCli(args, { env }), dataDir })
      }
      for (const { dataDir } of running) await until('it has a journal', () => readJobs(dataDir) !== null)
      if (database !== null)
        await until('all are there', async () => {
          const sql = `SELECT count(*)::integer AS n FROM hangar.computers`
          const rows = await server.query(sql, [], database.name).catch(() => [])
          return rows[0]?.['n'] === computers
        })
      const add = async (name: string, count: number) => {
        for (let nth = 0; nth < count; nth += 1)
          await drawPicture(join(dir, `pictures-${nth % folders}`, `${name}-${nth}.jpg`))
      }
      const sent = async () =>
        database === null ? [] : (await server.query(SENT, [], database.name)).map((row) => Number(row['sent']))
      const first = FIRST_PICTURES * most
      let sentBefore: number[] = []
      let sentByHalf: number[] = []
      let firstIdleAtMs = Infinity
      const areDone = async (all: number) => {
        const now = (await sent()).map((count, n) => count - (sentBefore[n] ?? 0))
        if (sentByHalf.length === 0 && now.reduce((a, b) => a + b, 0) >= PICTURES / 2) sentByHalf = now
        if (Math.max(...now) >= PICTURES / folders) firstIdleAtMs = Math.min(firstIdleAtMs, Date.now())
        return running.every(({ cli, dataDir }) => {
          if (cli.child.exitCode !== null) throw new Error(`it ended: ${cli.text.stderr}`)
          // Results of the others in a shared folder are listed too.
          const jobs = (readJobs(dataDir) ?? []).filter(({ reason }) => reason !== 'own_output')
          return jobs.length === all / folders && jobs.every(({ state }) => state === 'done' || state === 'skipped')
        })
      }
      const ended = (all: number) =>
        until('every picture has ended', () => areDone(all), {
          patienceMs: IS_WHOLE ? 1_500_000 : 120_000,
          pause: () => new Promise((resolve) => setTimeout(resolve, IS_WHOLE ? 2000 : 500)),
          describe: () => running.map(({ cli }) => cli.text.stderr.slice(-500)).join('\n'),
        })
      await add('first', first)
      await ended(first)
      sentBefore = await sent()
      const addedAtMs = Date.now()
      await add('photo', PICTURES)
      await ended(first + PICTURES)
      const outcome = outcomeOf(readFileSync(ledgerFile, 'utf8'), addedAtMs)
      return { ...outcome, sentByHalf, firstIdleMs: Math.min(firstIdleAtMs - addedAtMs, outcome.firstIdleMs) }
    } finally {
      for (const { cli } of running) {
        cli.child.kill('SIGKILL')
        await cli.ended
      }
      await practice.stop()
    }
  }

  for (const [computers, layout] of IS_WHOLE
    ? [2, 4, 8].flatMap((n) => [[n, 'same folder'] as const, [n, 'own folders'] as const])
    : ([[2, 'same folder']] as const))
    it.concurrent(
      `${computers} that watch ${layout === 'same folder' ? 'the same folder' : 'a folder each'}`,
      async () => {
        const [alone, team] = IS_WHOLE
          ? await Promise.all([watched(1, 'same folder', computers), watched(computers, layout)])
          : [null, await watched(computers, layout)]
        expect(team.contents).toBe(PICTURES + FIRST_PICTURES * computers)
        expect(team.charges).toBe(team.contents)
        expect(team.mostInAMinute).toBeLessThanOrEqual(LIMIT)
        expect(team.refusals).toBe(0)
        if (alone === null) return
        const [least, most] = [Math.min(...team.sentByHalf), Math.max(...team.sentByHalf)]
        process.stdout.write(
          `${computers} computers, ${layout}: ${perMinute(team)} a minute over ${COUNTED_MINUTES} minutes, one alone ${perMinute(alone)}; ` +
            `at most ${team.mostInAMinute} calls in any minute; ${team.charges} charges for ${team.contents} contents; ` +
            `sent by half-time ${team.sentByHalf.join(', ')}; first idle after ${Math.round(team.firstIdleMs / 1000)} s; ` +
            `load ${loadavg()[0]!.toFixed(1)}\n`,
        )
        for (const { firstIdleMs } of [alone, team]) expect(firstIdleMs).toBeGreaterThan(COUNTED.toMs)
        expect(team.sentByHalf).toHaveLength(computers)
        expect(team.calls).toBeGreaterThanOrEqual(0.95 * alone.calls)
        expect(team.fetched).toBeGreaterThanOrEqual(0.95 * alone.fetched)
        expect(most).toBeLessThanOrEqual(2 * least)
      },
    )
})

const perMinute = ({ fetched, calls }: Outcome) => `${fetched.toFixed(2)} pictures and ${calls.toFixed(1)} calls`

/**
 * How many of these times lie in a window that is a minute shorter than the time that is counted: the mean over all windows that fit.
 * Calls that were made together come free together, a minute later, so they come in bunches that repeat every minute. One window
 * counts up to 20 calls more or fewer, depending on where its ends fall; moved through a whole minute, it counts every bunch alike.
 */
function meanInWindow(times: readonly number[], fromMs: number, toMs: number): number {
  const shareOfWindows = (atMs: number) => Math.min(1, Math.max(0, Math.min(atMs - fromMs, toMs - atMs) / MINUTE))
  return times.reduce((sum, atMs) => sum + shareOfWindows(atMs), 0)
}

/** By the service's own ledger. */
function outcomeOf(text: string, addedAtMs: number) {
  const lines = parseLedger(text)
  const requests = lines.flatMap((line) => (line.type === 'request' && line.keyId !== null ? [line] : []))
  const timesOf = (some: typeof requests) => some.map(({ atMs }) => atMs).sort((a, b) => a - b)
  const charges = lines.flatMap((line) => (line.type === 'charge' ? [line] : []))
  const aMinute = (some: typeof requests) =>
    meanInWindow(timesOf(some), addedAtMs + COUNTED.fromMs, addedAtMs + COUNTED.toMs) / COUNTED_MINUTES
  return {
    calls: aMinute(requests),
    fetched: aMinute(requests.filter(({ path }) => path.endsWith('/optimized'))),
    charges: charges.length,
    contents: new Set(charges.map(({ sha256 }) => sha256)).size,
    refusals: lines.filter((line) => line.type === 'answer' && line.status === 429).length,
    mostInAMinute: mostInWindow(timesOf(requests)),
    firstIdleMs: Math.max(...charges.map(({ atMs }) => atMs)) - addedAtMs,
  }
}
