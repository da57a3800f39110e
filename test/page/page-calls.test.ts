import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import type { PageCallDeps } from '../../src/main/page/calls/page-call-deps.ts'
import { createPageCalls } from '../../src/main/page/calls/page-calls.ts'
import { tokenForms } from '../../src/main/page/place-forms.ts'
import { PlaceRegistry } from '../../src/main/page/place-registry.ts'
import { quiet } from '../simulation/world.ts'

/** What stands behind a page, over an engine that writes down what it is handed and answers as it is told. */
function desk(answers: Record<string, unknown> = {}) {
  const performed: [string, unknown][] = []
  const places = new PlaceRegistry()
  const perform = (name: string, request: unknown) => {
    performed.push([name, request])
    return Promise.resolve({ ok: true, value: answers[name] ?? {} })
  }
  let looks = 0
  const deps = { engine: { perform }, places, log: quiet } as unknown as PageCallDeps
  return { call: createPageCalls(deps, () => (looks += 1)), performed, places, looks: () => looks }
}
const beside = { ...DEFAULT_RECIPE, output: { kind: 'beside' as const } }

describe('what a page asks of the engine', () => {
  it('reaches it checked, with defaults, and with paths for tokens', async () => {
    const { call, performed, places } = desk({ 'intake.add': { batchId: 'b' } })
    const { token } = places.register('/pictures', 'folder')
    const delivery = places.register('/delivery', 'folder')
    const output = { kind: 'folder', dir: delivery.token, path: '/elsewhere' }
    const result = await call('intake.add', { paths: [token], recipe: { ...beside, output }, more: '/etc' })
    expect(result).toEqual({ ok: true, value: { batchId: 'b' } })
    const rest = { include: [], exclude: [], insteadOf: [], force: false, confirmed: false, maxCredits: null }
    const recipe = { ...beside, output: { kind: 'folder', dir: '/delivery' } }
    expect(performed).toEqual([['intake.add', { paths: ['/pictures'], recipe, ...rest }]])
  })

  it('is refused for a token that is unknown, unless more is wrong with it', async () => {
    const { call, performed, places } = desk()
    const unknown = 'A'.repeat(24)
    const file = places.register('/a.jpg', 'file').token
    const code = async (name: string, request: unknown) => {
      const result = await call(name, request)
      if (result.ok) return 'done'
      const { code, sentence } = result.error
      return [code, 'values' in sentence ? sentence.values?.['field'] : undefined]
    }
    expect(await code('intake.add', { paths: [unknown], recipe: beside })).toEqual(['not_found', undefined])
    expect(await code('intake.add', { paths: [unknown] })).toEqual(['bad_request', 'recipe'])
    expect(await code('intake.add', { paths: ['/etc/passwd'], recipe: beside })).toEqual(['bad_request', 'paths.0'])
    expect(await code('folders.add', { path: file, recipe: beside, include: [], exclude: [] })).toEqual([
      'bad_request',
      undefined,
    ])
    expect(performed).toEqual([])
  })

  it('is answered with what the contract says and nothing else: a path is a token, and what is not in it is left out', async () => {
    const recipe = { ...DEFAULT_RECIPE, output: { kind: 'folder', dir: '/delivery' } }
    const { call, places } = desk({
      'recipes.list': { recipes: [{ id: '1', recipe, file: '/etc/passwd' }], dir: '/etc' },
      'intake.samples': { batchId: 'b', place: '/samples' },
    })
    const { token } = places.register('/delivery', 'folder')
    const shown = { ...recipe, output: { kind: 'folder', dir: token, path: '/delivery' } }
    expect(await call('recipes.list', {})).toEqual({ ok: true, value: { recipes: [{ id: '1', recipe: shown }] } })
    const place = places.register('/samples', 'folder')
    expect(await call('intake.samples', {})).toEqual({ ok: true, value: { batchId: 'b', place } })
  })

  it('is not answered where the engine says something else than the contract', async () => {
    const { call } = desk({ 'credits.balance': { balance: 'a lot' } })
    expect(await call('credits.balance', {})).toMatchObject({ ok: false, error: { code: 'internal' } })
  })

  it('makes the state look again when the service in use may be another by then', async () => {
    const { call, looks } = desk({ 'credits.balance': { balance: 1 }, 'languages.list': { languages: [] } })
    await call('languages.list', {})
    expect(looks()).toBe(0)
    await call('credits.balance', {})
    expect(looks()).toBe(1)
  })
})

it('A path that comes from a token goes no other way: a response cannot show one by mistake', () => {
  const { path, folder } = tokenForms(new PlaceRegistry())
  for (const form of [path, folder]) expect(() => z.encode(form, '/pictures')).toThrow()
})
