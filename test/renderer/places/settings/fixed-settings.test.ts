import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()

const FIXED = {
  file: 'hangar.json',
  settings: ['recipe.quality', 'caps.perDay', 'appearance.theme', 'requestsPerMinute', 'notifications.batchDone'],
}

describeWith(CHROMIUM)('settings that a configuration file fixes', () => {
  it('say so where they are and cannot be changed, and the others can', async () => {
    const app = { ...stateWith().app, capabilities: ['notify' as const], fixed: FIXED }
    const { page } = await world.show(
      { app },
      {
        'recipes.list': { recipes: [] },
        'log.read': { lines: [] },
        'jobs.quarantined': { rows: [] },
      },
    )
    await page.keyboard.press('Control+,')
    const field = (name: string) => page.getByLabel(name, { exact: true })
    await field('Per day').waitFor()
    for (const name of ['Per day', 'Requests a minute']) expect(await field(name).isDisabled(), name).toBe(true)
    for (const name of ['Per month', 'Language']) expect(await field(name).isDisabled(), name).toBe(false)
    expect(await page.getByRole('radio', { name: 'Dark' }).isDisabled()).toBe(true)
    expect(await page.getByText('Set by hangar.json, which Hangar was started with.', { exact: true }).count()).toBe(4)
    await page.getByText('The default recipe is set by hangar.json, which Hangar was started with.').waitFor()
    expect(await page.locator('.recipes-open').first().isDisabled()).toBe(true)
  })
})
