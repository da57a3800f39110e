import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/settings/settings.ts'
import { callsWith } from '../../src/shared/contract/calls.ts'
import { JobDetail, JobRow } from '../../src/shared/contract/jobs.ts'
import { UiRecipe } from '../../src/shared/contract/places.ts'
import { detailOf, rowOf } from '../../src/main/page/job-row.ts'
import { PlaceRegistry } from '../../src/main/page/place-registry.ts'
import { tokenForms, toUiRecipe, toUiSettings } from '../../src/main/page/place-forms.ts'
import { jobView } from './make-view.ts'

const code = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
  return 'nothing was thrown'
}

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
      expect(code(() => places.resolve(guess))).toBe('not_found')
  })

  it('is forgotten when too many others were used since, the longest unused first', () => {
    const places = new PlaceRegistry(3)
    const [one, two, three] = ['/1', '/2', '/3'].map((path) => places.register(path, 'file'))
    places.resolve(one!.token)
    places.register('/4', 'file')
    expect(places.size).toBe(3)
    expect(places.resolve(one!.token)).toBe('/1')
    expect(code(() => places.resolve(two!.token))).toBe('not_found')
    expect(places.resolve(three!.token)).toBe('/3')
    expect(places.register('/2', 'file').token).not.toBe(two!.token)
  })

  it('that is a file is no folder', () => {
    const places = new PlaceRegistry()
    expect(code(() => places.resolveFolder(places.register('/a.jpg', 'file').token))).toBe('bad_request')
  })
})

describe('a recipe on its way to the page and back', () => {
  const recipe = { ...DEFAULT_RECIPE, output: { kind: 'folder' as const, dir: '/out' } }

  it('carries an id instead of a path, and the path only as words', () => {
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

  it('is refused with an id of another session', () => {
    const { recipe: form } = tokenForms(new PlaceRegistry())
    const { error } = form.safeParse(toUiRecipe(new PlaceRegistry(), recipe))
    expect(error?.issues).toMatchObject([{ code: 'custom', params: { error: { code: 'not_found' } } }])
  })

  it('goes with the settings', () => {
    const places = new PlaceRegistry()
    const settings = toUiSettings(places, { ...DEFAULT_SETTINGS, recipe })
    const { request } = callsWith(tokenForms(places))['settings.set']
    expect(request.parse({ recipe: settings.recipe, paused: true })).toEqual({ recipe, paused: true })
    expect(request.parse({ paused: true })).toEqual({ paused: true })
  })
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

  it('asks for no languages where no texts are made', () => {
    expect(rowOf(jobView({ operation: null, recipe: { ...DEFAULT_RECIPE, operation: 'convert' } })).languages).toEqual(
      [],
    )
    expect(rowOf(jobView({ operation: 'analyze' })).languages).toEqual(['en'])
  })
})

describe('the details of a job', () => {
  const facts = {
    recipe: { ...DEFAULT_RECIPE, output: { kind: 'beside' as const } },
    texts: [],
    earlier: [],
    renames: [],
    decorative: false,
    history: [],
  }

  it('say which outputs are no longer there', () => {
    const detail = detailOf(jobView(), { ...facts, present: [true, false], restorable: false })
    expect(JobDetail.parse(detail)).toEqual(detail)
    expect(detail.outputs.map(({ name, state }) => [name, state])).toEqual([
      ['photo-optimized.jpg', 'published'],
      ['photo.webp', 'missing'],
    ])
  })

  it('name results in folders of a template from the folder of their sidecar on, as markup needs them', () => {
    const [optimized, converted] = jobView().outputs
    const dir = dirname(converted!.path)
    const outputs = [
      optimized!,
      { ...converted!, path: join(dir, 'web/photo.webp') },
      { ...converted!, role: 'sidecar' as const, path: join(dir, 'photo.jpg.alt.json') },
    ]
    const detail = detailOf(jobView({ outputs }), { ...facts, present: [true, true, true], restorable: false })
    expect(detail.outputs.map(({ name }) => name)).toEqual([
      'photo-optimized.jpg',
      'web/photo.webp',
      'photo.jpg.alt.json',
    ])
  })

  it('give figures only where the service converted without a download', () => {
    const result = {
      imageId: 'i',
      originalSize: 9,
      optimizedSize: null,
      convertedFormat: 'avif',
      convertedSize: 5,
      compressionPercentage: null,
      translations: [],
    }
    const present: boolean[] = []
    expect(
      detailOf(jobView({ operation: 'convert', result }), { ...facts, present, restorable: false }).figures,
    ).toEqual({
      format: 'avif',
      sizeBytes: 5,
    })
    expect(detailOf(jobView({ result }), { ...facts, present, restorable: false }).figures).toBeNull()
  })
})
