import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ScrollBuffer } from '../../../src/renderer/store/scroll-buffer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function start() {
  const taken: number[] = []
  return { taken, buffer: new ScrollBuffer<number>((message) => taken.push(message)) }
}

it('What the shell tells is taken at once unless something is scrolled, and then in its order once that stands still', () => {
  const { buffer, taken } = start()
  buffer.push(1)
  buffer.push(2)
  expect(taken).toEqual([1, 2])
  buffer.scrolled()
  buffer.push(3)
  vi.advanceTimersByTime(100)
  buffer.scrolled()
  buffer.push(4)
  vi.advanceTimersByTime(100)
  expect(taken).toEqual([1, 2])
  vi.advanceTimersByTime(20)
  expect(taken).toEqual([1, 2, 3, 4])
})

it('What the shell tells does not wait for the end of a movement that goes on', () => {
  const { buffer, taken } = start()
  for (let step = 0; step < 21; step += 1) {
    buffer.scrolled()
    if (step === 0) buffer.push(1)
    if (step === 10) buffer.push(2)
    vi.advanceTimersByTime(20)
  }
  expect(taken).toEqual([1, 2])
})
