import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Db } from '../../src/main/journal/journal.ts'
import { isDiskTrouble } from '../../src/main/queue/context.ts'
import { checkCharges, checkOutputs, checkRate } from './promises.ts'
import { seeded, World } from './world.ts'

const HOUR = 3_600_000

/** Dispatches that reached the service or may have: what its ledger should show. */
function dispatchTotals(db: Db, serviceId: string): { accepted: number; unknown: number } {
  const count = (...outcomes: string[]) =>
    db
      .prepare<string[], number>(
        `SELECT count(*) FROM dispatches WHERE service_id = ? AND outcome IN (${outcomes.map(() => '?').join(', ')})`,
      )
      .pluck(true)
      .get(serviceId, ...outcomes) ?? 0
  return { accepted: count('accepted'), unknown: count('unknown', 'open') }
}

const doing = <Name extends string, Facts extends object>(
  name: Name,
  facts: { [Key in keyof Facts]: fc.Arbitrary<Facts[Key]> },
) => fc.record({ do: fc.constant(name), ...facts }) as unknown as fc.Arbitrary<{ do: Name } & Facts>
const WEATHER = ['fine', 'down', 'loses-answers', 'errors', 'rate-limits', 'refuses-key', 'elsewhere'] as const
const COMMANDS = ['cancel', 'retry', 'resend', 'drop', 'reopen', 'fetchAgain', 'confirm', 'cancelBatch'] as const
const RECALLS = ['cancel', 'cancelBatch'] as const
const TYPES = ['jpeg', 'png', 'gif'] as const
const action = fc.oneof(
  { weight: 4, arbitrary: doing('add', { nth: fc.nat(9), content: fc.nat(9), type: fc.constantFrom(...TYPES) }) },
  { weight: 1, arbitrary: doing('remove', { nth: fc.nat(9) }) },
  { weight: 3, arbitrary: doing('reconcile', {}) },
  { weight: 2, arbitrary: doing('burst', {}) },
  { weight: 1, arbitrary: doing('endBursts', {}) },
  { weight: 1, arbitrary: doing('journal', { full: fc.boolean() }) },
  { weight: 5, arbitrary: doing('wait', { ms: fc.integer({ min: 1, max: 120_000 }) }) },
  {
    weight: 3,
    arbitrary: doing('recall', { content: fc.nat(9), ms: fc.nat(1200), what: fc.constantFrom(...RECALLS) }),
  },
  { weight: 3, arbitrary: doing('crash', {}) },
  { weight: 1, arbitrary: doing('stop', {}) },
  { weight: 3, arbitrary: doing('weather', { is: fc.constantFrom(...WEATHER) }) },
  { weight: 1, arbitrary: doing('disk', { is: fc.constantFrom('disk_full', 'not_writable', null) }) },
  { weight: 1, arbitrary: doing('jump', { ms: fc.integer({ min: -2 * HOUR, max: 2 * HOUR }) }) },
  { weight: 1, arbitrary: doing('credits', { to: fc.nat(4) }) },
  { weight: 1, arbitrary: doing('forget', {}) },
  { weight: 4, arbitrary: doing('command', { what: fc.constantFrom(...COMMANDS), nth: fc.nat(20) }) },
)
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** What a journal whose disk is full refuses. */
async function onJournal(world: World, step: Action): Promise<void> {
  try {
    if (step.do === 'command') await world.command(step.what, step.nth)
    else if (step.do === 'burst') await world.burst()
    else if (step.do === 'endBursts') world.endBursts()
    else if (step.do === 'recall') {
      world.add(10, step.content)
      await world.reconcile()
      await world.clock.advance(step.ms)
      await world.command(step.what, 0)
    } else await world.reconcile()
  } catch (error) {
    if (!isDiskTrouble(error)) throw error
  }
}

async function perform(world: World, step: Action): Promise<void> {
  if (step.do === 'crash') await world.crash()
  else if (step.do === 'stop') await world.stop()
  else if (step.do === 'wait') await world.clock.advance(step.ms)
  else if (step.do === 'jump') world.clock.jumpMs(step.ms)
  else if (step.do === 'weather') world.paint(step.is)
  else if (step.do === 'disk') world.files.fault = step.is
  else if (step.do === 'credits') world.service.credits = step.to
  else if (step.do === 'forget') world.service.forget()
  else if (step.do === 'add') world.add(step.nth, step.content, step.type)
  else if (step.do === 'remove') world.remove(step.nth)
  else if (step.do === 'journal') world.fillJournal(step.full)
  else await onJournal(world, step)
  if (step.do !== 'crash' && step.do !== 'stop') world.start()
}

it('the queue in a simulated world keeps every promise whatever happens in whatever order', async () => {
  const numRuns = process.env['HANGAR_FAULTS'] === 'all' ? 10_000 : 300
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), fc.nat(), async (steps, seed) => {
      const world = new World(seeded(seed))
      try {
        world.start()
        for (const step of steps) await perform(world, step)
        // The faults stop: everything that was seen must come to an end.
        world.start()
        world.paint('fine')
        world.files.fault = null
        world.fillJournal(false)
        world.service.credits = 1000
        world.endBursts()
        await world.clock.advance(HOUR)
        await world.confirmAll()
        await world.reconcile()
        await world.clock.advance(HOUR)
        const left = world.unfinished().map((job) => `${job.state} ${job.reason?.code ?? ''} ${job.source.path}`)
        expect(left).toEqual([])
        expect(world.problems).toEqual([])
        checkCharges(world)
        checkRate(world)
        checkOutputs(world)
        const { accepted, unknown } = dispatchTotals(world.db, 'https://images.example')
        expect(world.service.charges.length, 'charges are known here').toBeLessThanOrEqual(accepted + unknown)
        expect(accepted, 'nothing is shown as spent that was not').toBeLessThanOrEqual(world.service.charges.length)
      } finally {
        await world.dispose()
      }
    }),
    { numRuns },
  )
}, 7_200_000)
