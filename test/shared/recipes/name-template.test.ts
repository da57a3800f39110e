import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Recipe, DEFAULT_RECIPE } from '../../../src/shared/recipes/recipe.ts'
import { namesUse, parseNameTemplate } from '../../../src/shared/recipes/name-template.ts'

const problemOf = (text: string) => {
  const parsed = parseNameTemplate(text)
  return parsed.ok ? null : [parsed.at, 'code' in parsed.problem ? parsed.problem.code : 'raw']
}

describe('a template for names', () => {
  it('is read as folders and a file, of fixed text and fields', () => {
    expect(parseNameTemplate('web/{date:YYYY-MM}/{seo}-{n:3}')).toEqual({
      ok: true,
      template: {
        folders: [['web'], [{ field: 'date', format: 'YYYY-MM' }]],
        file: [{ field: 'seo' }, '-', { field: 'n', digits: 3 }],
      },
    })
    expect(parseNameTemplate('{date} {n}')).toMatchObject({
      template: { file: [{ field: 'date', format: 'YYYY-MM-DD' }, ' ', { field: 'n', digits: 1 }] },
    })
  })

  it('has a brace in a name where it is written twice', () => {
    expect(parseNameTemplate('{{{name}}}{{x}}')).toMatchObject({
      ok: true,
      template: { file: ['{', { field: 'name' }, '}{x}'] },
    })
  })

  it.each([
    ['', 1, 'template_fixed'],
    ['  ', 1, 'template_fixed'],
    [`${'x'.repeat(200)}{n}`, 201, 'template_long'],
    ['/{name}', 1, 'template_absolute'],
    ['\\{name}', 1, 'template_absolute'],
    ['C:/{name}', 1, 'template_absolute'],
    ['~/{name}', 1, 'template_absolute'],
    ['../{name}', 1, 'template_absolute'],
    ['web/../{name}', 5, 'template_absolute'],
    ['./{name}', 1, 'template_absolute'],
    ['web//{name}', 5, 'template_part'],
    ['{name}/', 8, 'template_part'],
    ['a/b/c/d/e/{name}', 11, 'template_deep'],
    ['web/photo', 1, 'template_fixed'],
    ['web/{name', 5, 'template_brace'],
    ['web/name}', 9, 'template_brace'],
    ['{na{me}', 1, 'template_brace'],
    ['{Name}', 1, 'template_field'],
    ['{}', 1, 'template_field'],
    ['{width:3}', 1, 'template_field'],
    ['{date:}', 1, 'template_date'],
    ['{date:YYYY/MM}', 1, 'template_date'],
    ['{date:yyyy}', 1, 'template_date'],
    ['{n:0}', 1, 'template_digits'],
    ['{n:10}', 1, 'template_digits'],
    ['web\\{name}', 1, 'template_sign'],
    ['{name}?', 1, 'template_sign'],
    ['a\u0000{name}', 1, 'template_sign'],
    ['a\u202e{name}', 1, 'template_sign'],
    ['con/{name}', 1, 'template_reserved'],
    ['COM1.x/{name}', 1, 'template_reserved'],
    ['.web/{name}', 1, 'template_edge'],
    ['-{name}', 1, 'template_edge'],
    ['web./{name}', 1, 'template_edge'],
    ['{name} /{n}', 1, 'template_edge'],
    [`${'ä'.repeat(70)}{n}`, 1, 'template_bytes'],
  ])('%j is refused at character %i: %s', (text, at, code) => {
    expect(problemOf(text)).toEqual([at, code])
  })

  it('never throws, whatever it is', () => {
    const anything = fc
      .array(fc.constantFrom('{', '}', '/', '..', 'name', 'date:', 'YYYY', 'n:3', '\\', 'é', '\ud800', ' '))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(anything, fc.string({ unit: 'binary' })), (text) => {
        const parsed = parseNameTemplate(text)
        if (!parsed.ok) expect(parsed.at).toBeGreaterThan(0)
      }),
    )
  })

  it('is part of a recipe, which says what is wrong with it', () => {
    const recipe = (naming: string) => Recipe.safeParse({ ...DEFAULT_RECIPE, naming })
    for (const good of ['original', 'seo', '{name}', 'web/{seo}']) expect(recipe(good).success).toBe(true)
    expect(recipe('Original').error?.issues[0]?.message).toContain('use at least one field')
    expect(recipe('../{name}').success).toBe(false)
  })

  it('says which fields its names depend on', () => {
    expect(namesUse('seo', 'seo')).toBe(true)
    expect(namesUse('original', 'seo')).toBe(false)
    expect(namesUse('{seo}/{name}', 'seo')).toBe(true)
    expect(namesUse('{seo}/{name}', 'seo', 'file')).toBe(false)
    expect(namesUse('{seo}/{name}', 'seo', 'folders')).toBe(true)
  })
})
