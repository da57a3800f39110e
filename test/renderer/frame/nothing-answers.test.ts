import type { Page, Route } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../needs.ts'
import { installFakeBridge, stateWith } from '../harness/fake-bridge.ts'
import { windowForEachTest } from '../harness/frame-page.ts'

/** A person is told by then. */
const THREE_SECONDS_MS = 3000

const world = windowForEachTest()
let opened: Page | null = null
afterEach(() => opened?.context().close())

const open = async (locale: string, before: (page: Page) => Promise<unknown>) =>
  (opened = await world.bare(locale, before))

/** The page's time goes on by itself no more, and what is not for a file is answered like this. */
const withOwnTime = (answer: (route: Route) => unknown) => async (page: Page) => {
  await page.clock.install()
  await page.route('**', (route) => (route.request().method() === 'POST' ? answer(route) : route.continue()))
}
const silent = withOwnTime(() => undefined)
/** The server does not have these files. */
const without = (missing: RegExp) => (page: Page) =>
  page.route(missing, (route) => route.fulfill({ status: 404, body: '' }))

describeWith(CHROMIUM)('a page behind which nothing answers', () => {
  it('says that a server answers nothing, and what to do, within three seconds', async () => {
    const page = await open('de-DE', silent)
    await page.locator('main[aria-busy]').waitFor({ state: 'attached' })
    await page.clock.runFor(THREE_SECONDS_MS)
    await page.getByRole('heading', { name: 'Hangar ist nicht erreichbar' }).waitFor()
    await page.getByText('Prüfen Sie, ob Hangar auf dem Computer läuft').waitFor()
    await page.getByRole('button', { name: 'Neu laden' }).waitFor()
  })

  it('says that a window’s main process sends nothing', async () => {
    const page = await open('it-IT', async (page) => {
      await silent(page)
      await page.addInitScript(`globalThis.hangar = {
        calls: new Proxy({}, { get: () => () => new Promise(() => undefined) }),
        onMessage: () => () => undefined, acknowledge: () => undefined, placesOf: () => new Promise(() => undefined) }`)
    })
    await page.locator('main[aria-busy]').waitFor({ state: 'attached' })
    await page.clock.runFor(THREE_SECONDS_MS)
    await page.getByText('Il programma dietro questa finestra non risponde').waitFor()
  })

  it('says when a call is not answered, nor anything else, and takes it back', async () => {
    const page = await open('es-ES', async (page) => {
      await silent(page)
      const state = stateWith()
      state.app.locale = 'es-ES'
      await page.addInitScript(installFakeBridge, {
        state,
        answers: { 'queue.pause': { never: true }, 'jobs.rows': { never: true } },
      })
    })
    const said = page.getByText('Hangar no responde desde hace unos segundos')
    await page.getByRole('button', { name: 'Pausar' }).click()
    await page.clock.runFor(THREE_SECONDS_MS)
    await said.waitFor()
    await page.evaluate('shell.tell({})')
    await said.waitFor({ state: 'detached' })
  })

  it('takes a call that lasts for no silence while others are answered', async () => {
    const page = await open('en-GB', async (page) => {
      await silent(page)
      await page.addInitScript(installFakeBridge, { state: stateWith(), answers: { 'queue.pause': { never: true } } })
    })
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.clock.runFor(10 * THREE_SECONDS_MS)
    expect(await page.getByText('has not answered').count()).toBe(0)
  })

  it('says in the language of the browser that a part did not come', async () => {
    const page = await open('de-DE', without(/\/(?:de|en)-[^/]*\.js$/))
    await page.getByText('Hangar konnte nicht geladen werden.').waitFor()
    expect(await page.getByText('Hangar could not be loaded.').count()).toBe(0)
  })

  it('says in every language that none of its scripts came', async () => {
    const page = await open('de-DE', without(/\.js$/))
    for (const words of ['Hangar konnte nicht', 'Hangar could not be', 'Hangar n’a pas', 'Non è stato', 'No se pudo'])
      await page.getByText(words).waitFor()
  })
})
