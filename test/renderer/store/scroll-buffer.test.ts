import { describe, expect, it } from 'vitest'
import { ScrollBuffer } from '../../../src/renderer/store/scroll-buffer.ts'

/** A clock that the test moves. */
function start() {
  let nowMs = 1000
  let timers: { atMs: number; callback: () => void }[] = []
  const taken: number[] = []
  const held = new ScrollBuffer<number>({
    monotonicMs: () => nowMs,
    setTimer: (delayMs, callback) => {
      timers.push({ atMs: nowMs + delayMs, callback })
    },
    deliver: (message) => taken.push(message),
  })
  const wait = (ms: number) => {
    nowMs += ms
    const due = timers.filter(({ atMs }) => atMs <= nowMs)
    timers = timers.filter(({ atMs }) => atMs > nowMs)
    for (const { callback } of due) callback()
  }
  return { held, taken, wait }
}

describe('What the shell tells', () => {
  it('is taken at once while nothing is scrolled', () => {
    const { held, taken } = start()
    held.push(1)
    held.push(2)
    expect(taken).toEqual([1, 2])
  })

  it('waits while something is scrolled, and is taken in its order once that stands still', () => {
    const { held, taken, wait } = start()
    held.scrolled()
    held.push(1)
    wait(100)
    held.scrolled()
    held.push(2)
    wait(100)
    expect(taken).toEqual([])
    wait(20)
    expect(taken).toEqual([1, 2])
    held.push(3)
    expect(taken).toEqual([1, 2, 3])
  })

  it('does not wait for the end of a movement that goes on', () => {
    const { held, taken, wait } = start()
    for (let step = 0; step < 21; step += 1) {
      held.scrolled()
      if (step === 0) held.push(1)
      if (step === 10) held.push(2)
      wait(20)
    }
    expect(taken).toEqual([1, 2])
    held.push(3)
    wait(80)
    expect(taken).toEqual([1, 2])
  })
})
