import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { childEnvironment } from '../child-environment.ts'
import { CLI } from '../cli/harness.ts'
import { FaultWorld, until } from './fault-world.ts'
import { readJobs } from './journal-view.ts'

// A busy machine takes its time; what hangs is told by `until`.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

let world: FaultWorld
afterEach(() => world.end())

interface CommandRun {
  kill(signal: NodeJS.Signals): void
  /** The exit code, or the signal. */
  ended: Promise<number | string>
  lines: () => Record<string, unknown>[]
}

/** The command line itself, as a person starts it. */
function hangar(command: 'watch' | 'run', more: string[] = []): CommandRun {
  const options = ['--json', '--data-dir', world.dataDir, '--service-url', world.practice.imageBaseUrl]
  const args = [CLI, command, world.pictures, ...options, '--requests-per-minute', '600', ...more]
  const child = spawn(process.execPath, args, {
    env: { ...childEnvironment(), HOME: join(world.base, 'data'), HANGAR_API_KEY: world.apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer | string) => world.said.push(String(text)))
  world.processTexts.push(args.join('\n'))
  return {
    kill: (signal) => child.kill(signal),
    ended: once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string),
    lines: () =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

async function slowWorld(pictures: number): Promise<void> {
  world = await FaultWorld.make({ practice: { jobTime: { kind: 'fixed', ms: 600 } } })
  for (let nth = 0; nth < pictures; nth += 1) await world.add()
  await world.practice.control({
    type: 'add-weather',
    rules: [{ on: 'dispatch', times: 2, effect: { kind: 'slow', delayMs: 5000 } }],
  })
}

const states = () => Object.keys(world.counts())

describe('SIGTERM while pictures are sent', () => {
  it(
    'waits for the answers, leaves nothing in doubt, and the rest is done next time',
    { timeout: 60_000 },
    async () => {
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
    },
  )
})

describe('SIGTERM with an ignore file made to take for ever', () => {
  it('is heeded, and the pictures that it does not name are done before', { timeout: 60_000 }, async () => {
    world = await FaultWorld.make({})
    await world.add()
    const deep = join(world.pictures, ...(Array(60).fill('a') as string[]))
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(world.pictures, '.hangarignore'), `${'**/a/'.repeat(14)}b\n`)
    await world.add(join(...(Array(60).fill('a') as string[]), 'deep.jpg'))
    const watch = hangar('watch')
    await until('both are done', () => world.counts()['done'] === 2)
    watch.kill('SIGTERM')
    expect(await watch.ended).toBe(0)
  })
})

describe('kill -9 of the command line while pictures are sent', () => {
  it(
    'leaves those in doubt, says so with exit status 1 next time, and sends none of them again',
    { timeout: 60_000 },
    async () => {
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
    },
  )
})
