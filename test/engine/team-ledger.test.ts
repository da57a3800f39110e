import { expect, it } from 'vitest'
import { AppError } from '../../src/shared/sentences/errors.ts'
import type { SecretStore } from '../../src/shared/runtime/ports.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'
import { ask, RECIPE, runToEnd, until } from './engine-harness.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

openWorldForEachTest()

it.each([['ledger'], ['image'], ['ledger and image']])(
  'a team ledger is obeyed as soon as it is set, also when the keychain fails at that moment (%s)',
  async (failing) => {
    let isLocked = false
    const secrets: SecretStore = {
      ...world.secrets,
      get: async (name, origin) => {
        if (isLocked && failing.includes(name)) throw new AppError('secret_store_unavailable', raw('locked'))
        return world.secrets.get(name, origin)
      },
    }
    const engine = await world.engine(world.newDataFolder(), { secrets })
    isLocked = true
    // Two changes at the same time are made one after the other.
    const ledgerUrl = 'postgres://hangar@127.0.0.1:9/hangar'
    const changes = [
      engine.call('settings.set', { ledgerUrl }),
      engine.call('settings.set', { computerName: 'studio' }),
    ]
    for (const { ok } of await Promise.all(changes)) expect(ok).toBe(true)
    const code = failing.includes('ledger') ? 'ledger_refused' : 'ledger_away'
    await until(engine, 'the ledger is in trouble', () => engine.unreachable()?.code === code)
    await ask(engine, 'intake.add', { paths: [await world.addPicture('sent.jpg', 1)], recipe: RECIPE, confirmed: true })
    const here = { ...RECIPE, operation: 'convert', convertOn: 'here' } as const
    const [converted] = await runToEnd(engine, [await world.addPicture('here.jpg', 2)], { recipe: here })
    expect(converted).toMatchObject({ state: 'done' })
    expect(world.charges).toEqual([])
  },
)
