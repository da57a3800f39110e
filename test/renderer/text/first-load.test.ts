import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { BUILT, CHROMIUM, describeWith, itWith } from '../../needs.ts'
import { firstLoadSize, MAX_BYTES } from '../../../scripts/check-size.mjs'
import { LATER_TEXTS } from '../../../src/renderer/text/later-texts.ts'
import chargers from '../../../src/shared/text/de/chargers.json' with { type: 'json' }
import frame from '../../../src/shared/text/en/frame.json' with { type: 'json' }
import { LANGUAGES } from '../../../src/shared/text/languages.ts'
import { stateWith } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const OUT = resolve(import.meta.dirname, '../../../out/renderer')

itWith(BUILT)('what the page loads before it shows anything stays within its limit in every language', () => {
  const { files, texts, gzipBytes } = firstLoadSize(OUT)
  expect(texts).toHaveLength(LANGUAGES.length)
  expect(files.some(({ name }) => name.endsWith('.css'))).toBe(true)
  expect(gzipBytes).toBeLessThanOrEqual(MAX_BYTES)
})

itWith(BUILT)('the files that the page loads first are few, because each is a request', () => {
  expect(firstLoadSize(OUT).files.length).toBeLessThanOrEqual(4)
})

itWith(BUILT)('texts that only a part of the page shows are a file of their own in every language', () => {
  const names = readdirSync(join(OUT, 'assets'))
  for (const language of LANGUAGES)
    for (const catalogue of LATER_TEXTS)
      expect(names.some((name) => name.startsWith(`${language}-${catalogue}-`))).toBe(true)
})

itWith(BUILT)('no script of the page brings zod, which tries to make code from text when it loads', () => {
  const scripts = readdirSync(join(OUT, 'assets')).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((name) => readFileSync(join(OUT, 'assets', name), 'utf8').includes('ZodError'))).toEqual([])
})

describeWith(CHROMIUM)('the texts of a language', () => {
  const world = windowForEachTest()

  it('that do not come are those in English, with a button to load the page again', async () => {
    const { page } = await world.show({}, {}, { locale: 'de' })
    await page.route('**/assets/de-*.js', (route) => route.abort())
    await page.reload()
    await page.getByText(frame['pageTrouble.part_missing']).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  })

  it('are those of the open place too when another is chosen', async () => {
    const { page } = await world.show({}, {}, { locale: 'en' })
    await page.keyboard.press('Control+4')
    await page.locator('.chargers').waitFor()
    const { settings } = stateWith()
    await world.shown.tell({ settings: { ...settings, appearance: { ...settings.appearance, language: 'de' } } })
    await page.getByRole('button', { name: chargers['filter.freeNow'] }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })
})
