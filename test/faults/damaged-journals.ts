import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { childEnvironment } from '../child-environment.ts'
import type { End } from './damaged-world.ts'

const MAX_MS = 20_000
const MAX_KB = 500 * 1024
/** Making a journal with cells of 200 MB takes its time as well, which is not Hangar's. */
const HANG_MS = 150_000
/** After this many a new child takes over, with new pictures, a new service and no memory of the old. */
const JOURNALS_PER_CHILD = 500

interface Campaign {
  ends: Record<string, number>
  problems: End[]
  peakKb: number
  slowestMs: number
}

interface Order {
  count: number
  /** The same journals for the same first seed. */
  firstSeed: number
  /** How many are met at once, each in a child process of its own. */
  atOnce: number
}

/** Meets damaged journals in child processes whose time and memory are bounded. */
export async function meetDamaged({ count, firstSeed, atOnce }: Order): Promise<Campaign> {
  const campaign: Campaign = { ends: {}, problems: [], peakKb: 0, slowestMs: 0 }
  const seeds = Array.from({ length: count }, (_, n) => firstSeed + n).values()
  const note = (end: End) => {
    campaign.ends[end.end] = (campaign.ends[end.end] ?? 0) + 1
    campaign.peakKb = Math.max(campaign.peakKb, end.peakKb)
    campaign.slowestMs = Math.max(campaign.slowestMs, end.ms)
    if (end.problem !== null) campaign.problems.push(end)
  }
  await Promise.all(Array.from({ length: atOnce }, () => meetSome(seeds, note)))
  return campaign
}

async function meetSome(seeds: Iterable<number>, note: (end: End) => void): Promise<void> {
  let child: ChildProcess | null = null
  let met = 0
  try {
    for (const seed of seeds) {
      if (child !== null && met % JOURNALS_PER_CHILD === 0) child = await stop(child)
      child ??= await start()
      let end = await endOf(child, seed)
      // A start is a process of its own; this one holds what those before left in it.
      if (end.peakKb > MAX_KB) {
        await stop(child)
        child = await start()
        end = await endOf(child, seed)
      }
      end = judged(end)
      met += 1
      note(end)
      // What it paid again must not count against the next.
      if (end.problem !== null) child = await stop(child)
    }
  } finally {
    if (child !== null) await stop(child)
  }
}

function judged(end: End): End {
  if (end.problem !== null) return end
  if (end.peakKb > MAX_KB) return { ...end, problem: `${Math.round(end.peakKb / 1024)} MB of memory` }
  return end.ms > MAX_MS ? { ...end, problem: `took ${end.ms} ms` } : end
}

function start(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'meet-damaged.ts'), [], { env: childEnvironment() })
  return new Promise((ready, failed) => {
    child.once('message', () => ready(child))
    child.once('exit', (code) => failed(new Error(`did not start: ${code}`)))
  })
}

async function stop(child: ChildProcess): Promise<null> {
  if (child.exitCode !== null || child.signalCode !== null) return null
  const ended = new Promise((done) => child.once('exit', done))
  if (child.connected) child.disconnect()
  await ended
  return null
}

/** A child that does not answer in time, or ends, is one of the problems. */
function endOf(child: ChildProcess, seed: number): Promise<End> {
  return new Promise((done) => {
    const over = (end: End) => {
      clearTimeout(watchdog)
      child.removeAllListeners('message').removeAllListeners('exit')
      done(end)
    }
    const failed = (problem: string) => over({ seed, kind: '', end: 'problem', problem, ms: 0, peakKb: 0 })
    const watchdog = setTimeout(() => {
      failed(`not over after ${HANG_MS} ms`)
      child.kill('SIGKILL')
    }, HANG_MS)
    child.once('message', (end) => over(end as End))
    child.once('exit', (code, signal) => failed(`ended with ${code ?? signal}`))
    child.send(seed)
  })
}
