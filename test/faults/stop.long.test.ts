import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { childEnvironment } from '../child-environment.ts'
import { CLI } from '../cli/harness.ts'
import { startFaultProxy, type FaultProxy, type ProxyFault } from './fault-proxy.ts'
import { until } from '../until.ts'
import { FaultWorld } from './fault-world.ts'
import { readJobs } from './journal-view.ts'

let world: FaultWorld
let proxy: FaultProxy | null = null
afterEach(async () => {
  await proxy?.close()
  proxy = null
  await world.end()
})

interface CommandRun {
  kill(signal: NodeJS.Signals): void
  /** The exit code, or the signal. */
  ended: Promise<number | string>
  lines: () => Record<string, unknown>[]
}

/** The command line itself, as a person starts it. */
function hangar(command: 'watch' | 'run' | 'serve', more: string[] = [], dataDir = world.dataDir): CommandRun {
  const options = ['--json', '--data-dir', dataDir, '--service-url', proxy?.baseUrl ?? world.practice.imageBaseUrl]
  const what = command === 'serve' ? ['--port', '0'] : [world.pictures]
  const args = [CLI, command, ...what, ...options, '--requests-per-minute', '600', ...more]
  const child = spawn(process.execPath, args, {
    env: { ...childEnvironment(), HOME: join(world.base, 'data'), HANGAR_API_KEY: world.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer | string) => world.said.push(String(text)))
  world.processTexts.push(args.join('\n'))
  const wholeLines = () => out.split('\n').slice(0, -1)
  return {
    kill: (signal) => child.kill(signal),
    ended: once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string),
    lines: () => wholeLines().map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

async function slowWorld(pictures: number): Promise<void> {
  world = await FaultWorld.make({ practice: { jobTime: { kind: 'fixed', ms: 600 } } })
  await world.addSome(pictures)
  await world.weather({ on: 'dispatch', times: 2, effect: { kind: 'slow', delayMs: 5000 } })
}

const states = () => Object.keys(world.counts())

it('SIGTERM while pictures are sent waits for the answers, leaves nothing unknown, and the rest is done next time', async () => {
  await slowWorld(6)
  const watch = hangar('watch')
  await until('pictures are being sent', () => states().includes('sending'))
  watch.kill('SIGTERM')
  expect(await watch.ended).toBe(0)
  expect(watch.lines().at(-1)).toMatchObject({ event: 'summary', unknown: 0 })
  expect(states()).not.toContain('sending')
  expect(states()).not.toContain('unknown')
  expect(await world.violations(false)).toEqual([])

  const run = hangar('run', ['--yes'])
  expect(await run.ended).toBe(0)
  expect(world.tally()).toEqual({ done: 6 })
  expect(await world.violations(true)).toEqual([])
})

it('kill -9 of the command line while pictures are sent leaves those unknown, says so with exit status 1 next time, and sends none of them again', async () => {
  await slowWorld(7)
  const killed = hangar('run', ['--yes'])
  await until(
    'two answers are awaited',
    () => world.practice.ledger().charges.length >= 2 || world.counts()['sending'] === 2,
  )
  killed.kill('SIGKILL')
  expect(await killed.ended).toBe('SIGKILL')
  const sent = readJobs(world.dataDir)!.filter(({ state }) => state === 'sending')
  expect(sent.length).toBeGreaterThan(0)

  const again = hangar('run', ['--yes'])
  expect(await again.ended).toBe(1)
  expect(again.lines().at(-1)).toMatchObject({ event: 'summary', unknown: sent.length })
  expect(world.tally()).toEqual({ done: 7 - sent.length, 'unknown crashed_while_sending': sent.length })
  expect(await world.violations(true)).toEqual([])
})

/** A service behind a proxy that passes everything on until told otherwise. */
async function silentWorld(pictures: number): Promise<FaultProxy> {
  world = await FaultWorld.make({ practice: { jobTime: { kind: 'fixed', ms: 100 } } })
  await world.addSome(pictures)
  proxy = await startFaultProxy(Number(new URL(world.practice.imageBaseUrl).port))
  return proxy
}

/** Sooner than any time-out of a request. */
const BEFORE_TIMEOUT_MS = 50_000
/** Sooner than the grace of the command line for answers. */
const BEFORE_GRACE_MS = 28_000

/** Fails when it takes longer. */
async function endsWithin(limitMs: number, what: string, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  await until(what, () => isOver, { patienceMs: limitMs })
  await ended
}

const DISPATCH = /^POST \S+\/images\//
const POLL = /^GET \S+\/jobs\//
const DOWNLOAD = /\/optimized/

describe('Stopping while the service is silent', () => {
  const silences: [string, RegExp, ProxyFault, sent: boolean][] = [
    ['after it took the picture', DISPATCH, { kind: 'stallAnswer', afterBytes: 0 }, true],
    ['in the middle of the upload', DISPATCH, { kind: 'stallUpload', afterBytes: 2000 }, true],
    ['in the middle of its answer to the upload', DISPATCH, { kind: 'stallAnswer', afterBytes: 40 }, true],
    ['when it is asked after a job', POLL, { kind: 'stall' }, false],
    ['in the middle of a download', DOWNLOAD, { kind: 'stallAnswer', afterBytes: 400 }, false],
  ]
  it.each(silences)('%s ends soon after the grace, and nothing is sent twice', async (_when, which, fault, sent) => {
    const { requests } = await silentWorld(2)
    let isSilent = true
    proxy!.fault = (line) => (isSilent && which.test(line) ? fault : { kind: 'pass' })
    const running = await world.open({ serviceUrl: proxy!.baseUrl })
    const { engine } = running
    await engine.call('intake.add', world.everything)
    await until('it is silent', () => requests.some((line) => which.test(line)))
    await until('the journal says so', () =>
      states().some((state) => state === (sent ? 'sending' : 'waiting') || state === 'fetching'),
    )
    await endsWithin(BEFORE_TIMEOUT_MS, 'it has stopped', running.close(500))
    expect(states()).not.toContain('sending')
    const dispatched = () => requests.filter((line) => DISPATCH.test(line)).length
    const before = dispatched()
    isSilent = false
    const again = await world.open({ serviceUrl: proxy!.baseUrl })
    await world.rest()
    await again.close(5000)
    // What was in flight is unknown and stays so; the others, if any, are sent once.
    expect(dispatched() - before).toBe(sent ? 2 - (world.counts()['unknown'] ?? 0) : 2 - before)
    if (sent) expect(world.counts()['unknown']).toBeGreaterThan(0)
    expect(await world.violations(true)).toEqual([])
  })
})

describe('SIGTERM while the service is silent', () => {
  const commands = ['run', 'watch', 'serve'] as const

  it.each(commands)('ends %s at once when nothing was sent', async (command) => {
    const { requests } = await silentWorld(1)
    proxy!.fault = () => ({ kind: 'stall' })
    const running = hangar(command, command === 'serve' ? [] : ['--languages', 'en,de'])
    await until('the service was asked', () => requests.length > 0)
    running.kill('SIGTERM')
    await endsWithin(BEFORE_GRACE_MS, 'it has ended', running.ended)
    expect([0, 130]).toContain(await running.ended)
  })

  it.each(commands)('ends %s at once in a pause that the service asked for', async (command) => {
    await silentWorld(1)
    const effect = { kind: 'rate-limited', retryAfterSeconds: 900 } as const
    await world.weather(...(['dispatch', 'balance'] as const).map((on) => ({ on, times: 50, effect })))
    const running = hangar(command, command === 'run' ? ['--yes'] : [])
    await until('the service asked to wait', () =>
      world.practice.ledger().requests.some(({ status }) => status === 429),
    )
    running.kill('SIGTERM')
    await endsWithin(BEFORE_GRACE_MS, 'it has ended', running.ended)
    expect([0, 130, 6]).toContain(await running.ended)
  })

  it('waits its grace for a picture that was being sent, then leaves it unknown', async () => {
    const { requests } = await silentWorld(1)
    proxy!.fault = (line) => (DISPATCH.test(line) ? { kind: 'stallAnswer', afterBytes: 0 } : { kind: 'pass' })
    const running = hangar('run', ['--yes'])
    await until('the picture is being sent', () => states().includes('sending'))
    const stoppedAtMs = performance.now()
    running.kill('SIGTERM')
    await running.ended
    expect(performance.now() - stoppedAtMs).toBeGreaterThan(BEFORE_GRACE_MS)
    expect(world.tally()).toEqual({ 'unknown unclear_answer': 1 })
    expect(requests.filter((line) => DISPATCH.test(line))).toHaveLength(1)
    expect(await world.violations(true)).toEqual([])
  })
})
