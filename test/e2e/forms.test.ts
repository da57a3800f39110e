import type { Locator } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import sentences from '../../src/shared/text/de/sentences.json' with { type: 'json' }
import settings from '../../src/shared/text/de/settings.json' with { type: 'json' }
import { itWith } from '../needs.ts'
import { WHOLE_APP, openApp } from './app-world.ts'
import { button, visible } from './by-hand.ts'

/* The forms of the settings, filled in wrongly, in German: each fault is told at its field, in the window's words. */

/** Waits until the field is marked as wrong, and returns what is said to be wrong with it. */
async function faultOf(field: Locator): Promise<string> {
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
  const faults = ids.filter((id) => /-(error|wrong)$/.test(id))
  expect(faults, 'the field says what is wrong').toHaveLength(1)
  const told = field.page().locator(`[id="${faults[0]}"]`)
  expect(await told.getAttribute('role')).toBe('alert')
  return told.innerText()
}

const isRight = async (field: Locator) => expect.poll(() => field.getAttribute('aria-invalid')).not.toBe('true')

itWith(WHOLE_APP)('what is wrong in a form of the settings stands at its field', async () => {
  const world = await openApp({ locale: 'de-DE', lang: 'de_DE.UTF-8' })
  onTestFinished(() => world.close())
  const { page } = world
  const openSettings = (section: string) => page.evaluate(`location.hash = '#/settings/${section}'`)
  for (const section of ['services', 'chargers'] as const) {
    await openSettings(section)
    const form = page.locator(`#settings-${section}`)
    const address = form.getByLabel(settings.address, { exact: true })
    await visible(address)
    for (const [typed, why] of [
      ['', settings.addressNeeded],
      ['bilder', sentences.no_address],
      ['http://bilder.example.com', sentences.address_unencrypted],
      ['https://ich:geheim@bilder.example.com', sentences.address_with_password],
    ] as const) {
      await address.fill(typed)
      await isRight(address)
      await form.getByRole('button', { name: settings.useAddress }).click()
      expect(await faultOf(address)).toBe(why)
    }
  }
  for (const [section, label, typed, why] of [
    ['spending', settings.capPerDay, 'viele', settings.wholeNumber],
    ['spending', settings.capPerMonth, '-1', settings.wholeNumber],
    ['spending', settings.capPerFolder, '1,5', settings.wholeNumber],
    ['queue', settings.requests, '0', settings.requestsRange],
    ['queue', settings.retention, '', settings.retentionRange],
  ] as const) {
    await openSettings(section)
    const field = page.getByLabel(label, { exact: true })
    const before = await field.inputValue()
    await field.fill(typed)
    expect(await faultOf(field)).toBe(why)
    await field.fill(before)
    await isRight(field)
  }
  await openSettings('team')
  const ledger = page.getByLabel(settings['team.address'], { exact: true })
  await button(page, settings.testKey).last().click()
  expect(await faultOf(ledger)).toBe(settings['team.addressNeeded'])
  await ledger.fill('teambuch')
  await button(page, settings['team.use']).click()
  expect(await faultOf(ledger)).toBe(sentences.ledger_address_invalid)
  // No browser speaks for the page: in its own language, and over the field.
  expect(await page.evaluate('[...document.querySelectorAll("form")].every((form) => form.noValidate)')).toBe(true)
})
