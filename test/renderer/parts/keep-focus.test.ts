import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { stateWith } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

const world = windowForEachTest()

const origin = 'https://images.example'
const settings = { ...stateWith().settings, imageBaseUrl: `${origin}/api/v1` }
const KEYS_CHANGED = { ...stateWith().versions, keys: 9 }
const NO_KEY = { name: 'image', origin, present: false, place: 'keychain', because: null, setAtMs: null }
const KEY = { ...NO_KEY, present: true }

async function showKey(status: object) {
  await world.show({ settings }, { 'keys.status': status, 'keys.set': { check: 'accepted', problem: null } })
  const { page } = world.shown
  await page.evaluate("location.hash = '#/settings/services'")
  const focused = page.locator('#settings-services').locator(':focus')
  const press = async (name: string) => {
    await page.locator('#settings-services').getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  return { page, focused, press }
}

describeWith(CHROMIUM)('the focus of the keyboard', () => {
  it('goes from a button to the form in its place, and back as the form is cancelled', async () => {
    const { focused, press } = await showKey(KEY)
    await press('Replace')
    await expect.poll(() => focused.getAttribute('type')).toBe('password')
    await press('Cancel')
    await expect.poll(() => focused.textContent()).toBe('Test')
  })

  it('goes from a form to what comes in its place', async () => {
    const { page, focused } = await showKey(NO_KEY)
    await page.getByLabel('New key').fill('k-123')
    await world.shown.answer({ 'keys.status': KEY })
    await page.keyboard.press('Enter')
    await page.getByText('The service accepts the key.').waitFor()
    await world.shown.tell({ versions: KEYS_CHANGED })
    await expect.poll(() => focused.textContent()).toBe('Test')
  })

  it('stays on a button that is disabled for a while', async () => {
    const { page, focused, press } = await showKey(NO_KEY)
    await page.getByLabel('New key').fill('k-123')
    await world.shown.answer({ 'keys.set': { never: true } })
    await press('Set key')
    await expect.poll(() => focused.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    expect(await world.shown.asked('keys.set')).toHaveLength(1)
  })

  it('goes to the heading of a page of the settings that gives way to another', async () => {
    const { page } = await showKey(KEY)
    await page.getByLabel('Address').focus()
    await page.keyboard.press('Control+,')
    await page.locator('#settings-appearance-title:focus').waitFor()
  })
})
