import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { JobDetail, JobRow } from '../../src/shared/contract/jobs.ts'
import { UiRecipe } from '../../src/shared/contract/places.ts'
import { detailOf, rowOf } from '../../src/main/page/job-row.ts'
import { PlaceRegistry } from '../../src/main/page/place-registry.ts'
import { tokenForms, toUiRecipe } from '../../src/main/page/place-forms.ts'
import { jobView } from './make-view.ts'

const NOT_FOUND: unknown = expect.objectContaining({ code: 'not_found' })

describe('a place', () => {
  it('has the same id while the session lasts, and another in the next', () => {
    const places = new PlaceRegistry()
    const place = places.register('/home/ada/pictures', 'folder')
    expect(place).toMatchObject({ name: 'pictures', path: '/home/ada/pictures', kind: 'folder' })
    expect(Buffer.from(place.token, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
    expect(places.register('/home/ada/pictures', 'folder').token).toBe(place.token)
    expect(new PlaceRegistry().register('/home/ada/pictures', 'folder').token).not.toBe(place.token)
    expect(places.resolve(place.token)).toBe('/home/ada/pictures')
  })

  it('is not found by anything but its id', () => {
    const places = new PlaceRegistry()
    places.register('/home/ada', 'folder')
    for (const guess of ['/home/ada', '', '__proto__', 'A'.repeat(24)])
      expect(() => places.resolve(guess)).toThrow(NOT_FOUND)
  })

  it('is forgotten when too many others were used since, the longest unused first', () => {
    const places = new PlaceRegistry(3)
    const [one, two, three] = ['/1', '/2', '/3'].map((path) => places.register(path, 'file'))
    places.resolve(one!.token)
    places.register('/4', 'file')
    expect(places.resolve(one!.token)).toBe('/1')
    expect(() => places.resolve(two!.token)).toThrow(NOT_FOUND)
    expect(places.resolve(three!.token)).toBe('/3')
    expect(places.register('/2', 'file').token).not.toBe(two!.token)
  })
})

it('a recipe on its way to the page and back carries an id instead of a path, and the path only as words', () => {
  const recipe = { ...DEFAULT_RECIPE, output: { kind: 'folder' as const, dir: '/out' } }
  const places = new PlaceRegistry()
  const shown = toUiRecipe(places, recipe)
  expect(UiRecipe.parse(shown)).toEqual(shown)
  expect(shown.output).toMatchObject({ kind: 'folder', path: '/out' })
  expect(JSON.stringify({ ...shown, output: { ...shown.output, path: '' } })).not.toContain('/out')
  const changed = { ...shown, output: { ...shown.output, path: '/elsewhere' } } as UiRecipe
  const { recipe: form } = tokenForms(places)
  expect(form.parse(changed)).toEqual(recipe)
  expect(z.encode(form, recipe)).toEqual(shown)
})

describe('a line of the list', () => {
  it('is small and says what became of the picture', () => {
    const lost = { code: 'gain_map_lost', detail: 'both' } as const
    const row = rowOf(jobView({ notes: [{ code: 'animation_kept', detail: null }, lost] }))
    expect(JobRow.parse(row)).toEqual(row)
    expect(row).toMatchObject({ name: 'photo.jpg', dir: '/pictures', languages: ['en'], notes: 2, replaced: false })
    expect(row.note).toEqual(lost)
    expect(row).toMatchObject({ sizeBytes: 1_000_000, optimizedBytes: 600_000, convertedBytes: 300_000 })
    expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(700)
  })

  it('knows that an original was replaced, and that planned outputs are not there yet', () => {
    const replace = { ...DEFAULT_RECIPE, output: { kind: 'replace' as const } }
    const [first] = jobView().outputs
    const inPlace = { ...first!, path: '/pictures/photo.jpg' }
    expect(rowOf(jobView({ recipe: replace, outputs: [inPlace] })).replaced).toBe(true)
    const planned = rowOf(jobView({ recipe: replace, outputs: [{ ...inPlace, state: 'planned' }] }))
    expect(planned).toMatchObject({ replaced: false, optimizedBytes: null })
  })
})

it('the details of a job say which outputs are no longer there', () => {
  const detail = detailOf(jobView(), {
    recipe: { ...DEFAULT_RECIPE, output: { kind: 'beside' } },
    texts: [],
    earlier: [],
    renames: [],
    decorative: false,
    history: [],
    present: [true, false],
    restorable: false,
  })
  expect(JobDetail.parse(detail)).toEqual(detail)
  expect(detail.outputs.map(({ name, state }) => [name, state])).toEqual([
    ['photo-optimized.jpg', 'published'],
    ['photo.webp', 'missing'],
  ])
})
