import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()
const { settings } = stateWith()
const capped = (perDay: number) => ({
  settings: { ...settings, caps: { ...settings.caps, perDay, perMonth: perDay + 1000 } },
})

/** A window whose changes do not come back as stored until the test says so. */
async function openSettings(setting: unknown = { never: true }) {
  const window = await world.show(capped(50), { 'settings.set': setting })
  const { page } = window
  await page.evaluate("location.hash = '#/settings/spending'")
  const field = page.getByLabel('Per day', { exact: true })
  /** Resolves once it was drawn, as the other cap that comes with it shows, so that no two of them are seen as one change. */
  const stored = async (perDay: number) => {
    await window.tell(capped(perDay))
    await expect.poll(() => page.getByLabel('Per month', { exact: true }).inputValue()).toBe(String(perDay + 1000))
  }
  return { page, field, stored, asked: () => window.asked('settings.set') }
}
const sent = (perDay: number) => ({ caps: { perDay } })

describeWith(CHROMIUM)('a number in the settings', () => {
  it('stays as typed while it and another number are stored, and replaces them', async () => {
    const { field, stored, asked } = await openSettings()
    await field.fill('70')
    await field.press('Enter')
    await field.fill('8')
    await stored(70)
    await stored(60)
    expect(await field.inputValue()).toBe('8')
    await field.press('Enter')
    expect(await asked()).toEqual([sent(70), sent(8)])
  })

  it('is stored when the place is left by the keyboard', async () => {
    const { page, field, asked } = await openSettings()
    await field.fill('70')
    await page.keyboard.press('Control+1')
    await expect.poll(asked).toEqual([sent(70)])
  })

  it('that was refused is sent again', async () => {
    const { page, field, asked } = await openSettings({ error: { code: 'internal', sentence: { raw: 'No.' } } })
    await field.fill('70')
    await field.press('Enter')
    await page.locator('.toast').waitFor()
    await field.press('Enter')
    expect(await asked()).toEqual([sent(70), sent(70)])
  })
})
