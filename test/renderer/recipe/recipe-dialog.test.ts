import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import type { UiRecipe } from '../../../src/shared/contract/places.ts'
import { stateWith } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const RECIPE = stateWith().settings.recipe
const SHOP = { id: 'r1', recipe: { ...RECIPE, name: 'Shop', quality: 70 } }
const LISTED = [
  { code: 'en', name: 'English', nativeName: 'English' },
  { code: 'de', name: 'German', nativeName: 'Deutsch' },
]
const ANSWERS = {
  'keys.status': { name: 'image', origin: null, present: false, place: 'memory', because: null },
  'recipes.list': { recipes: [SHOP] },
  'recipes.save': SHOP,
  'recipes.example': { outputs: ['photo.webp'] },
  'languages.list': { languages: LISTED },
  'credits.afford': { canAfford: true, required: 3, balance: 1240, shortfall: 0 },
}

const world = windowForEachTest()

async function show(answers: Record<string, unknown> = {}): Promise<Page> {
  await world.show({}, { ...ANSWERS, ...answers })
  await world.shown.page.evaluate("location.hash = '#/settings/recipes'")
  await world.shown.page.getByRole('button', { name: /^Shop/ }).waitFor()
  return world.shown.page
}

const saves = async () => (await world.shown.asked('recipes.save')) as { id: string | null; recipe: UiRecipe }[]

describeWith(CHROMIUM)('recipes', () => {
  it('are saved with languages in the order they were given, a code that nobody lists among them', async () => {
    const page = await show()
    await page.getByRole('button', { name: /^Shop/ }).click()
    await page.getByRole('button', { name: 'Languages: English' }).click()
    expect(await page.getByRole('checkbox', { name: 'English' }).isDisabled()).toBe(true)
    const search = page.getByRole('textbox', { name: 'Add a language' })
    await search.fill('deut')
    await page.getByRole('checkbox', { name: 'German' }).waitFor()
    await search.press('Enter')
    await search.fill('xx')
    await search.press('Enter')
    await page.getByText('The service does not list xx.').waitFor()
    await page.getByRole('button', { name: 'Put German first' }).click()
    await search.fill('Klingon')
    await page.getByText('No language of that name.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await saves()).toEqual([{ id: 'r1', recipe: { ...SHOP.recipe, languages: ['de', 'en', 'xx'] } }])
  })

  it('name results by a template, with what is wrong with it beside it', async () => {
    const page = await show()
    await page.getByRole('button', { name: /^Shop/ }).click()
    await page.locator('.more > summary').click()
    await page.getByRole('radio', { name: 'By a template' }).check()
    const field = page.getByRole('textbox', { name: 'Template' })
    expect(await field.inputValue()).toBe('web/{name}')
    await field.fill('seo')
    expect(await field.isVisible()).toBe(true)
    await field.fill('../{seo}')
    await page.getByText('A template for names stays in the folder of the results').waitFor()
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    await field.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Go on editing' }).and(page.locator(':focus')).press('Enter')
    await field.fill('{date:YYYY}/{seo}')
    await field.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await saves()).toMatchObject([{ id: 'r1', recipe: { naming: '{date:YYYY}/{seo}' } }])
  })

  it('have word rules that are tried on the texts that are there, and applied when a person says so', async () => {
    const at = { id: 'j1', name: 'heron.jpg', path: '/heron.jpg', languageCode: 'en' }
    const found = [{ ...at, before: 'Image of a heron', after: 'A heron' }]
    const page = await show({
      'jobs.index': { sections: [{ key: '', title: null, folderId: null, atMs: null, ids: ['j1'] }] },
      'jobs.tryRules': { found, flagged: [{ ...at, before: 'x', notes: [] }], texts: 9, persons: 2, more: 0 },
      'jobs.editTexts': { changed: [0], unwritten: 0, why: null },
    })
    await page.getByRole('button', { name: /^Shop/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.more > summary').click()
    await dialog.getByRole('button', { name: 'Add a rule' }).click()
    await dialog.getByText('Fill in every word rule, or remove it.').first().waitFor()
    await dialog.getByRole('combobox', { name: 'Where' }).selectOption('start')
    await dialog.getByRole('textbox', { name: 'Instead of' }).fill('image of ')
    await dialog.getByRole('button', { name: 'Try on the texts that are there' }).click()
    await dialog.getByText('1 text would change. · Flagged: 1 · Texts that you edited, left unchanged: 2').waitFor()
    const rules = [{ kind: 'replace', from: 'image of', to: '', at: 'start', language: null }]
    expect(await world.shown.asked('jobs.tryRules')).toEqual([{ ids: ['j1'], rules }])
    expect(await world.shown.asked('jobs.editTexts')).toEqual([])
    await dialog.getByRole('button', { name: 'Change 1 text' }).click()
    await page.getByText('1 text was changed.').waitFor()
    const altText = { seen: 'Image of a heron', to: 'A heron' }
    expect(await world.shown.asked('jobs.editTexts')).toEqual([
      { edits: [{ id: 'j1', languageCode: 'en', altText, seoFilename: null, byRule: true }] },
    ])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await saves()).toMatchObject([{ recipe: { ...SHOP.recipe, rules } }])
  })

  it('warn before originals are replaced, and offer it only where files are compressed', async () => {
    const page = await show()
    await page.getByRole('button', { name: /^Shop/ }).click()
    await page.getByRole('button', { name: 'Where results go: Beside the original' }).click()
    await page.getByRole('radio', { name: 'In place of the original' }).check()
    await page.getByText('“.hangar-originals”').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Alt text only' }).click()
    await page.getByRole('button', { name: 'Where results go: Beside the original' }).click()
    expect(await page.getByRole('radio', { name: 'In place of the original' }).isDisabled()).toBe(true)
    expect(await page.getByRole('radio', { name: 'Beside the original' }).isChecked()).toBe(true)
  })

  it('change places with the default one, which is saved before anything is taken away', async () => {
    const page = await show()
    await page.getByRole('button', { name: 'More for Shop' }).click()
    await page.getByRole('menuitem', { name: 'Make default' }).click()
    await expect.poll(() => world.shown.asked('recipes.remove')).toEqual([{ id: 'r1' }])
    expect(await saves()).toEqual([{ id: null, recipe: RECIPE }])
    expect(await world.shown.asked('settings.set')).toEqual([{ recipe: SHOP.recipe }])
  })
})
