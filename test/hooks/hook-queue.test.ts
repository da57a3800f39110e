import { describe, expect, it } from 'vitest'
import { HookQueue, type HookRun } from '../../src/main/hooks/hook.ts'
import { englishText } from '../../src/shared/sentences/english-text.ts'
import { raw, say, type Sentence } from '../../src/shared/sentences/sentence.ts'
import { manualClock, realClock } from '../services/harness.ts'

const counts = {} as never
const event = (id: string): HookRun => ({
  hook: { on: 'done', run: ['/bin/tell'] },
  payload: { event: 'done', id, time: '', credits: null, batch: 'b', folder: null, counts },
})

function queue(run: (one: HookRun, stop: AbortSignal) => Promise<Sentence | null>, clock = realClock) {
  const ended: string[] = []
  const onEnd = ({ payload: { id } }: HookRun, why: Sentence | null) =>
    ended.push(why === null ? id : `${id}: ${englishText(why)}`)
  return { ended, hooks: new HookQueue({ run, onEnd, clock, log: { warn: () => undefined } }) }
}

describe('The queue of hooks', () => {
  it('runs one at a time in the order of the events, also after one failed', async () => {
    let running = 0
    const { hooks, ended } = queue(async ({ payload }) => {
      expect((running += 1)).toBe(1)
      await new Promise(setImmediate)
      running -= 1
      if (payload.id === 'b') throw new Error('broken')
      return payload.id === 'c' ? say('hook_exit', { status: '1' }) : null
    })
    for (const id of ['a', 'b', 'c', 'd']) hooks.add(event(id))
    await hooks.idle()
    expect(ended).toEqual(['a', 'b: Error: broken', 'c: It ended with exit status 1.', 'd'])
    hooks.add(event('e'))
    await hooks.idle()
    expect(ended.at(-1)).toBe('e')
  })

  it('drops the oldest beyond a hundred that wait, and says so', async () => {
    const { hooks, ended } = queue(async () => null)
    for (let at = 0; at < 103; at += 1) hooks.add(event(String(at)))
    await hooks.idle()
    expect(ended).toHaveLength(103)
    const left = ended.filter((text) => text.includes(':'))
    expect(left).toEqual(['0', '1', '2'].map((id) => `${id}: It was skipped, because too many are waiting.`))
  })

  it('ends the running one a while after it is closed, and drops the others', async () => {
    const clock = manualClock()
    const hang = (_: HookRun, stop: AbortSignal) =>
      new Promise<Sentence>((done) => stop.addEventListener('abort', () => done(raw('it was ended'))))
    const { hooks, ended } = queue(hang, clock)
    hooks.add(event('a'))
    hooks.add(event('b'))
    const closed = hooks.close(3000)
    await new Promise(setImmediate)
    expect(ended).toEqual([])
    clock.advance(3000)
    await closed
    expect(ended).toEqual(['a: it was ended', 'b: It was ended, because Hangar stops.'])
    // What comes later is dropped too.
    hooks.add(event('c'))
    await hooks.idle()
    expect(ended.at(-1)).toBe('c: It was ended, because Hangar stops.')
  })
})
