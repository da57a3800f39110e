import { expect, onTestFinished } from 'vitest'
import { itWith } from '../needs.ts'
import { WHOLE_APP, openApp } from './app-world.ts'
import { axe } from './axe.ts'
import { button, line, visible } from './by-hand.ts'

itWith(WHOLE_APP)(
  'the first minutes lead from the link to a first result in one click, that says what it is, and are taken back',
  async () => {
    const world = await openApp()
    onTestFinished(() => world.close())
    const { page } = world
    // Whatever is clicked, by whatever this test calls.
    await page.evaluate('globalThis.clicks = 0; addEventListener("click", () => (globalThis.clicks += 1), true)')
    await (await visible(button(page, 'Try samples'))).click()
    // The first one that is done opens.
    await visible(page.getByRole('slider', { name: 'Divider between before and after' }))
    await visible(page.getByText('Practice text'))
    await visible(page.getByRole('textbox', { name: 'English' }))
    expect(await page.evaluate('globalThis.clicks')).toBe(1)
    await page.keyboard.press('Escape')

    await visible(page.getByText(/^8 pictures · −/))
    expect(await axe(page)).toEqual([])
    await (await visible(button(page, 'More: Samples'))).click()
    await page.getByRole('menuitem', { name: 'Remove from the list' }).click()
    await visible(page.getByText('8 pictures left the list. Their files stay.'))
    // It stays while the pointer is on it.
    await button(page, 'Undo').hover()
    await visible(button(page, 'Try samples'))
    await button(page, 'Undo').click()
    await visible(line(page, 'club-badge.png'))
  },
)
