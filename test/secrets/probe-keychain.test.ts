import { describe, expect, it } from 'vitest'
import { ASKING, PROBE_EXIT_CODES, probeKeychain } from '../../src/main/secrets/probe-keychain.ts'
import { ManualClock } from '../watch/manual-clock.ts'

const TIMEOUT_MS = 4000

function start() {
  const clock = new ManualClock()
  /** The probe's process by hand: what it says and when it ends. */
  const child = {
    isKilled: false,
    say: (_message: unknown): void => undefined,
    exit: (_code: number | null): void => undefined,
    send: () => expect.unreachable('the probe is told nothing'),
    onMessage: (listener: (message: unknown) => void) => (child.say = listener),
    onExit: (listener: (code: number | null) => void) => (child.exit = listener),
    kill: () => (child.isKilled = true),
  }
  return { clock, child, outcome: probeKeychain({ spawn: () => child }, clock, TIMEOUT_MS) }
}

describe('the probe of the keychain', () => {
  it('waits for a process that a busy computer is slow to start', async () => {
    const { clock, child, outcome } = start()
    await clock.pass(5 * TIMEOUT_MS)
    child.say(ASKING)
    await clock.pass(TIMEOUT_MS - 1)
    expect(child.isKilled).toBe(false)
    child.exit(PROBE_EXIT_CODES.usable)
    expect(await outcome).toBe('usable')
  })

  it('takes a keychain that does not answer for silent, and ends the process', async () => {
    const { clock, child, outcome } = start()
    child.say(ASKING)
    await clock.pass(TIMEOUT_MS)
    expect(child.isKilled).toBe(true)
    child.exit(null)
    expect(await outcome).toBe('silent')
  })

  it('gives up on a process that never starts', async () => {
    const { clock, child, outcome } = start()
    await clock.pass(60_000)
    expect(child.isKilled).toBe(true)
    expect(await outcome).toBe('silent')
  })
})
