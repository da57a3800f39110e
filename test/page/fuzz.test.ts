import { readdir } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { CALLS, PAGE_CALL_NAMES, type PageCall } from '../../src/shared/contract/calls.ts'
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

const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, Number.NaN, new Map(), () => 1, Symbol('s'), new Proxy({}, {})),
  fc.record({
    ids: fc.jsonValue(),
    id: fc.jsonValue(),
    path: fc.jsonValue(),
    paths: fc.jsonValue(),
    folder: fc.jsonValue(),
  }),
)

describe('every call', () => {
  it.each(PAGE_CALL_NAMES)('%s answers what is no request for it with a refusal, and does nothing', async (name) => {
    const before = await traces()
    await fc.assert(
      fc.asyncProperty(anything, async (request) => {
        fc.pre(!CALLS[name].request.safeParse(request).success)
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
          fc.pre(!PAGE_CALL_NAMES.some((name) => name === channel))
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
    const requests: [PageCall, unknown][] = [
      ['intake.add', { paths: [token], recipe }],
      ['intake.add', { paths: [own], recipe: stolen }],
      ['intake.add', { paths: ['/etc/hostname-of-16-letters'], recipe }],
      ['intake.preview', { paths: [token], recipe }],
      ['intake.preview', { paths: [own], recipe: stolen }],
      ['folders.add', { path: token, recipe, include: [], exclude: [] }],
      ['folders.add', { path: own, recipe: stolen, include: [], exclude: [] }],
      ['folders.update', { id: 'x', changes: { recipe: stolen } }],
      ['folders.remove', { id: 'x' }],
      ['recipes.save', { id: null, recipe: stolen }],
      ['settings.set', { recipe: stolen }],
      ['settings.set', { inboxDir: '/etc', imageBaseUrl: 'http://images.example' }],
      ['settings.set', { inboxDir: token }],
      ['places.reveal', { path: token }],
      ['places.browse', { folder: token }],
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
})

/** Calls without arguments take any object. */
function acceptsAnything(name: PageCall): boolean {
  return CALLS[name].request.safeParse({}).success
}
