import { basename } from 'node:path'
import type { JSHandle, Locator, Page } from 'playwright-core'
import { PAGE_PATIENCE_MS, until } from '../until.ts'
import type { AppWorld } from './app-world.ts'

/* What a person does with the window, by what they see and read. */

/** The first such element, once it can be seen; a failure says what could be read instead. */
export async function visible(what: Locator): Promise<Locator> {
  await what
    .first()
    .waitFor({ state: 'visible', timeout: PAGE_PATIENCE_MS })
    .catch(async (cause: unknown) => {
      const shown = await what.page().locator('body').innerText({ timeout: 5000 })
      throw new Error(`not to be seen: ${what.toString()}; instead, at ${what.page().url()}:\n${shown}`, { cause })
    })
  return what.first()
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
export const dialog = (page: Page) => page.getByRole('dialog')
export const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: new RegExp(`^${name}`) })
export async function settingsPage(page: Page, name: string): Promise<void> {
  await place(page, 'Settings').click()
  await page.locator('.settings-nav').getByRole('link', { name }).click()
}
export const line = (page: Page, name: string) => page.locator('.jobs-line').filter({ hasText: name })

/** Gives the service's address and its key in the settings, and goes back to the pictures. */
export async function useService({ page, service }: AppWorld, address = service.imageBaseUrl): Promise<void> {
  await (await visible(button(page, 'Connect your account'))).click()
  await (await visible(page.getByLabel('Address'))).fill(address)
  await button(page, 'Use this address').click()
  await (await visible(page.getByLabel('New key'))).fill(service.apiKey)
  await button(page, 'Set key').click()
  await visible(page.getByText('The service accepts the key.'))
  await place(page, 'Pictures').click()
}

/** Walks the page's folder browser to a folder below the home folder. */
export async function browseTo(page: Page, folder: string): Promise<void> {
  await (await visible(dialog(page).getByRole('option', { name: basename(folder) }))).dblclick()
  await (await visible(button(page, `Choose “${basename(folder)}”`))).click()
}

/** Watches a folder by the default recipe. */
export async function watchFolder({ page, pictures }: AppWorld): Promise<void> {
  await place(page, 'Folders').click()
  await (await visible(button(page, 'Watch a folder'))).click()
  await browseTo(page, pictures)
  const watch = await visible(button(page, 'Watch this folder'))
  await until('the folder is understood', async () => (await watch.getAttribute('aria-disabled')) !== 'true')
  await watch.click()
  await dialog(page).waitFor({ state: 'detached' })
  await place(page, 'Pictures').click()
}

/** Each of these pictures stands in the list with this word for its state. */
export async function allAre(page: Page, names: readonly string[], state: string): Promise<void> {
  for (const name of names) await visible(line(page, name).filter({ hasText: state }))
}

/** Drags files with these names and bytes over the page until it offers to take them; resolves to what can be dropped then. */
export async function dragOver(
  page: Page,
  names: readonly string[],
  bytes: Buffer = Buffer.from('x'),
): Promise<JSHandle<unknown>> {
  // As text: this program knows no DOM.
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (character) => character.charCodeAt(0))
    const names = ${JSON.stringify(names)}
    names.forEach((name, n) => data.items.add(new File([bytes, String(n)], name)))
    return data
  })()`)
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await page.locator('.drop').waitFor()
  return dataTransfer
}

/** Drops files from the disk on the window, as from the file manager. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data })
  // A page that is not drawn yet hears of nothing, and a person moves on.
  const isOffered = async () => {
    await drag('dragEnter')
    await drag('dragOver')
    return page.locator('.drop').isVisible()
  }
  await until('the window offers to take them', isOffered, { patienceMs: PAGE_PATIENCE_MS })
  await drag('dragOver')
  await drag('drop')
}
