import { readdir } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../src/shared/recipe.ts'
import { UI_CHANNEL_NAMES } from '../../src/shared/ui-bridge.ts'
import { UI_CHANNELS, type UiChannel } from '../../src/shared/ui-contract.ts'
import { AppWorld } from './app-harness.ts'

let world: AppWorld
beforeAll(async () => {
  world = await AppWorld.open()
})
afterAll(() => world.close())

/** Everything that a call could have changed, but the log. */
async function traces(): Promise<unknown> {
  const { settings, counts, folders } = world.app.engine.snapshot()
  const files = (await readdir(world.dir, { recursive: true })).filter((name) => !name.includes('journal'))
  const recipes = await world.ask('recipes.list', {})
  return { settings, counts, folders, recipes, files: files.sort(), asked: [...world.shell.asked] }
}

function expectResult(result: unknown): void {
  const { ok, value, error } = result as { ok: unknown; value?: unknown; error?: { code: unknown; message: unknown } }
  if (ok === true) expect(value).not.toBeUndefined()
  else expect([ok, typeof error?.code, typeof error?.message]).toEqual([false, 'string', 'string'])
}

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, Number.NaN, new Map(), () => 1, Symbol('s'), new Proxy({}, {})),
  fc.record({ ids: fc.jsonValue(), id: fc.jsonValue(), token: fc.jsonValue(), tokens: fc.jsonValue() }),
)

describe('every call', () => {
  it.each(UI_CHANNEL_NAMES)('%s answers what is no request for it with a refusal, and does nothing', async (name) => {
    const before = await traces()
    await fc.assert(
      fc.asyncProperty(anything, async (request) => {
        fc.pre(!UI_CHANNELS[name].request.safeParse(request).success)
        const result = await world.app.host.call(name, request)
        expect(result).toMatchObject({ ok: false, error: { code: 'bad_request' } })
      }),
      { numRuns: 40, maxSkipsPerRun: 1000, ...(acceptsAnything(name) && { examples: [], numRuns: 5 }) },
    )
    expect(await traces()).toEqual(before)
  })

  it('that is not in the contract is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.constantFrom('__proto__', 'constructor', 'toString', 'intake.add ', 'jobs.list', 'settings.get'),
        ),
        anything,
        async (channel, request) => {
          fc.pre(!Object.hasOwn(UI_CHANNELS, channel))
          expect(await world.app.host.call(channel, request)).toMatchObject({
            ok: false,
            error: { code: 'bad_request' },
          })
        },
      ),
    )
  })

  it('whose places and pictures are unknown does nothing', async () => {
    const token = 'A'.repeat(24)
    const recipe = { ...DEFAULT_RECIPE, output: { kind: 'beside' } }
    const stolen = { ...DEFAULT_RECIPE, output: { kind: 'folder', dir: token, path: '/etc' } }
    const own = world.app.host.places.register(world.pictures, 'folder').token
    const requests: [UiChannel, unknown][] = [
      ['intake.add', { tokens: [token], recipe }],
      ['intake.add', { tokens: [own], recipe: stolen }],
      ['intake.add', { tokens: ['/etc/hostname-of-16-letters'], recipe }],
      ['intake.preview', { tokens: [token], recipe }],
      ['intake.preview', { tokens: [own], recipe: stolen }],
      ['folders.add', { token, recipe, include: [], exclude: [] }],
      ['folders.add', { token: own, recipe: stolen, include: [], exclude: [] }],
      ['folders.update', { id: 'x', changes: { recipe: stolen } }],
      ['folders.remove', { id: 'x' }],
      ['recipes.save', { id: null, recipe: stolen }],
      ['settings.set', { recipe: stolen }],
      ['settings.set', { inboxDir: '/etc', imageBaseUrl: 'http://images.example' }],
      ['inbox.choose', { token }],
      ['places.reveal', { token }],
      ['places.browse', { token }],
      ['places.makeFolder', { parent: token, name: 'x' }],
      ['outputs.reveal', { id: '/etc/passwd', index: null }],
      ['outputs.drag', { items: [{ id: 'x', index: 0 }] }],
      ['jobs.detail', { id: 'x' }],
      ['jobs.retry', { ids: ['x'] }],
    ]
    const before = await traces()
    for (const [channel, request] of requests) {
      const result = await world.app.host.call(channel, request)
      expect([channel, result.ok]).toEqual([channel, false])
    }
    expect(await traces()).toEqual(before)
  })

  it('answers with a value, whatever fitting request comes', async () => {
    const ids = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { maxLength: 5 })
    const free = fc.oneof(
      fc.tuple(fc.constantFrom('jobs.rows', 'jobs.cancel', 'jobs.remove', 'jobs.restore'), fc.record({ ids })),
      fc.tuple(
        fc.constant('jobs.index'),
        fc.record({ filter: fc.record({ search: fc.string() }), groupBy: fc.constantFrom('none', 'batch', 'folder') }),
      ),
      fc.tuple(fc.constant('jobs.export'), fc.record({ ids, format: fc.constantFrom('csv', 'json', 'html') })),
      fc.tuple(fc.constant('log.read'), fc.record({ afterSeq: fc.nat() })),
      fc.tuple(fc.constant('credits.history'), fc.record({ days: fc.integer({ min: 1, max: 366 }) })),
      fc.tuple(
        fc.constant('recipes.example'),
        fc.record({
          recipe: fc.constant({ ...DEFAULT_RECIPE, output: { kind: 'beside' } }),
          names: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
        }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(free, async ([channel, request]) => {
        expectResult(await world.app.host.call(channel, request))
      }),
    )
  })
})

/** Calls without arguments take any object. */
function acceptsAnything(name: UiChannel): boolean {
  return UI_CHANNELS[name].request.safeParse({}).success
}
