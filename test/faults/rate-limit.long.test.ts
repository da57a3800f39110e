import { afterEach, expect, it } from 'vitest'
import { PATIENCE_MS } from '../until.ts'
import { FaultWorld } from './fault-world.ts'

const SPEED = 30

let world: FaultWorld
afterEach(() => world.end())

it('the rate limit is kept at the service through hostile refusals, a restart and lost answers, and every picture is done', async () => {
  world = await FaultWorld.make({
    speed: SPEED,
    practice: { requestsPerMinute: 60, jobTime: { kind: 'lognormal', medianMs: 8000, sigma: 0.5 } },
    overrides: { requestsPerMinute: 60 },
  })
  await world.addSome(45)
  const refusal = (headers: Record<string, string>, body: unknown = { error: 'Too many requests' }) =>
    ({ on: 'any', fraction: 0.02, times: 3, effect: { kind: 'answer', status: 429, headers, body } }) as const
  await world.weather(
    { on: 'any', fraction: 0.05, times: 4, effect: { kind: 'rate-limited', retryAfterSeconds: 0 } },
    { on: 'any', fraction: 0.05, times: 2, effect: { kind: 'rate-limited', retryAfterSeconds: 2_000_000_000 } },
    refusal({ 'retry-after': '-5' }),
    refusal({ 'retry-after': 'soon' }),
    refusal({ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 'busy'),
    refusal({}, { retry_after: 'NaN' }),
    { on: 'job', fraction: 0.03, times: 3, effect: { kind: 'reset', when: 'after-work' } },
  )
  const first = await world.open()
  await first.engine.call('intake.add', world.everything)
  await world.until('some are done', () => (world.counts()['done'] ?? 0) >= 10)
  // What is in flight is answered first, however slow the machine is: an answer that is lost leaves a picture unknown.
  await first.close(PATIENCE_MS * SPEED)
  await world.open()
  await world.until('all are done', () => world.counts()['done'] === 45)
  expect(await world.violations(true)).toEqual([])
})
