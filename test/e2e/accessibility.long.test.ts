import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../needs.ts'
import { WHOLE_APP, openApp, type AppWorld } from './app-world.ts'
import { findings } from './axe.ts'
import { PATIENCE_MS, until } from '../until.ts'
import { browseTo, button, dialog, line, place, settingsPage, useService, visible } from './by-hand.ts'
import { SCENE_JOBS, setScene } from './scene.ts'

let world: AppWorld

/** How to come to each view from Pictures, by what a person presses. */
const VIEWS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'pictures in most states': (page) => visible(line(page, 'red-hangar.jpg')),
  'pictures by folder': async (page) => {
    await page.getByRole('button', { name: 'Newest first' }).click()
    await page.getByRole('menuitemradio', { name: 'By folder' }).click()
    await visible(page.getByRole('rowheader', { name: /Website|Pictures/ }))
  },
  'pictures that no search matches': async (page) => {
    await page.getByLabel('Search names and folders').fill('no such picture')
    await visible(page.getByText('No picture matches.'))
  },
  'a done picture': async (page) => {
    await line(page, 'red-hangar.jpg').click()
    await visible(page.getByRole('textbox', { name: 'English' }))
  },
  'an unknown picture and its history': async (page) => {
    await line(page, 'night-landing.jpg').click()
    await (await visible(button(page, 'Files and history'))).click()
    await visible(page.getByText('History'))
  },
  'several selected pictures': async (page) => {
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    await visible(page.getByText(`${SCENE_JOBS} selected`))
  },
  'a question before something may cost': async (page) => {
    await line(page, 'night-landing.jpg').click()
    await (await visible(button(page, /^Send again/))).click()
    await visible(dialog(page))
  },
  'an open menu': async (page) => {
    await button(page, 'Add').click()
    await visible(page.getByRole('menu'))
  },
  'what an intake would mean': async (page) => {
    await button(page, 'Add').click()
    await (await visible(page.getByRole('menuitem', { name: 'Choose a folder' }))).click()
    await (await visible(dialog(page).getByRole('option', { name: 'Pictures' }))).dblclick()
    await browseTo(page, 'Website')
    await visible(page.getByRole('button', { name: /^Process|Nothing to process/ }))
  },
  'the question before a spend': async (page) => {
    await button(page, 'Review').click()
    await visible(button(page, 'Cancel these pictures'))
  },
  Folders: async (page) => {
    await place(page, 'Folders').click()
    await visible(page.getByText('Missing', { exact: true }))
  },
  'the folder browser': async (page) => {
    await place(page, 'Folders').click()
    await (await visible(button(page, 'Watch a folder'))).click()
    await visible(dialog(page).getByRole('option', { name: 'Pictures' }))
  },
  'a folder about to be watched': async (page) => {
    await place(page, 'Folders').click()
    await (await visible(button(page, 'Watch a folder'))).click()
    await browseTo(page, 'Pictures')
    await visible(button(page, 'Watch this folder'))
    await dialog(page).getByText('More', { exact: true }).click()
  },
  Credits: async (page) => {
    await place(page, 'Credits').click()
    await visible(page.getByText(/^At last week.s pace/))
  },
  Chargers: async (page) => {
    await place(page, 'Chargers').click()
    await visible(page.getByText('Samples, not for navigation'))
    await visible(page.locator('.chargers-list').getByRole('option'))
  },
  'Settings, what is about the system': async (page) => {
    await place(page, 'Settings').click()
    await visible(page.getByText('Theme'))
  },
  'Settings, the account': async (page) => {
    await settingsPage(page, 'Account')
    await visible(page.getByText(/In the keychain since/))
  },
  'Settings, recipes': async (page) => {
    await settingsPage(page, 'Recipes')
    await visible(page.getByText('Club magazine'))
  },
  'Settings, chargers': async (page) => {
    await settingsPage(page, 'Chargers')
    await visible(page.getByText('Refresh every'))
  },
  'Settings, what few need': async (page) => {
    await settingsPage(page, 'Advanced')
    for (const title of ['Team', 'Other programs', 'Data', 'Log'])
      await page.locator('.settings-section summary', { hasText: title }).click()
    await visible(page.getByRole('log'))
  },
  'a key about to be replaced': async (page) => {
    await settingsPage(page, 'Account')
    await (await visible(button(page, 'Replace'))).click()
    await (await visible(page.getByLabel('New key'))).fill('something')
  },
  'the recipe editor': async (page) => {
    await settingsPage(page, 'Recipes')
    await (await visible(button(page, 'New recipe'))).click()
    await visible(dialog(page).locator('.recipe-example'))
    await dialog(page).locator('.more > summary').click()
  },
  'the palette': async (page) => {
    await page.keyboard.press('Control+k')
    await (await visible(dialog(page).getByRole('combobox'))).fill('red')
    await visible(page.getByRole('option', { name: /red-hangar/ }))
  },
  'the keyboard shortcuts': async (page) => {
    await page.keyboard.press('?')
    await visible(dialog(page))
  },
}

/** High enough for all groups of the list to be in sight. */
const HIGH = { width: 1280, height: 2400 }

/** Back to Pictures, whatever is open, with nothing selected, searched or grouped. */
async function goBack(page: Page): Promise<void> {
  await until('nothing floats any more', async () => {
    if ((await page.locator('dialog[open], [role=menu]').count()) === 0) return true
    await page.keyboard.press('Escape')
    return false
  })
  await page.setViewportSize(HIGH)
  await page.goto(new URL('/', page.url()).href)
  await visible(line(page, 'red-hangar.jpg'))
}

describeWith(WHOLE_APP)('axe finds nothing wrong', () => {
  beforeAll(async () => {
    world = await openApp({ browser: 'light', practice: { credits: 1840 } })
  })
  afterAll(() => world.close())

  describe('before anything was done', () => {
    test('with Pictures, Folders and Credits while they are empty', async () => {
      await useService(world)
      for (const name of ['Pictures', 'Folders', 'Credits']) {
        await place(world.page, name).click()
        await visible(world.page.getByRole('heading', { level: 1, name }))
        expect(await findings(world.page), name).toEqual([])
      }
    })
  })

  describe('after a month of use', () => {
    beforeAll(async () => {
      await setScene(world)
      await goBack(world.page)
    })
    afterEach(() => goBack(world.page))

    for (const [name, comeTo] of Object.entries(VIEWS))
      test(`with ${name}`, async () => {
        await comeTo(world.page)
        expect(await findings(world.page)).toEqual([])
      })
  })

  describe('without its server', () => {
    test('with the page of a browser that is not signed in', async () => {
      const page = await (await world.context.browser()!.newContext()).newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      await page.goto(new URL(world.served.url).origin)
      await visible(page.getByRole('heading', { name: 'Open a new link' }))
      await visible(page.getByText(/serve --link/))
      expect(await findings(page)).toEqual([])
    })

    test('with a lost connection', async () => {
      await world.served.kill()
      await visible(world.page.getByText(/Connection to Hangar lost/))
      expect(await findings(world.page)).toEqual([])
    })
  })
})
