import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { raw, say, type Sentence } from '../../src/shared/sentences/sentence.ts'
import type { Reason } from '../../src/shared/sentences/reasons.ts'
import { NO_JOBS } from './harness/fake-bridge.ts'
import { windowForEachTest } from './harness/frame-page.ts'
import { jobDetail, jobRow } from './harness/job-row.ts'

const ROW = jobRow('j1', { name: 'mine.jpg', replaced: true })
const DETAIL = jobDetail(ROW, { restorable: true })
const JOB_ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: null, folderId: null, atMs: null, ids: ['j1'] }] },
  'jobs.rows': { rows: [ROW] },
  'jobs.detail': DETAIL,
}
const failure = (code: string, sentence: Sentence) => ({ error: { code, sentence } })

const world = windowForEachTest()

const toast = (page: Page) => page.locator('.toast p')

describeWith(CHROMIUM)('the window in its own words', () => {
  const openDetail = async (answers: object, locale = 'en-GB') => {
    await world.show({ counts: { ...NO_JOBS, done: 1 } }, { ...JOB_ANSWERS, ...answers }, { locale })
    await world.shown.page.locator('[data-name="j1"]').click()
    return world.shown.page
  }
  const openFiles = async (answers: object, locale?: string) => {
    const page = await openDetail(answers, locale)
    await page.locator('.stage').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('i')
    return page
  }
  const refused = (problem: string) => ({
    'jobs.restore': { results: [{ id: 'j1', restored: false, problem, why: say('restore_changed_since') }] },
  })

  it('asks before a file that was changed gives way to its original, and says that the file is kept', async () => {
    const page = await openFiles(refused('changed_since'))
    await page.getByRole('button', { name: 'Restore the original' }).click()
    const question = page.getByRole('dialog')
    await question.getByText(/Hangar keeps that file too/).waitFor()
    expect(await page.getByText('--force').count()).toBe(0)
    await question.getByRole('button', { name: 'Restore all the same' }).click()
    await expect
      .poll(() => world.shown.asked('jobs.restore'))
      .toEqual([
        { ids: ['j1'], force: false },
        { ids: ['j1'], force: true },
      ])
  })

  it('says in German why an original is not back, without asking for force where that does not help', async () => {
    const page = await openFiles(refused('disk_full'), 'de-DE')
    await page.getByRole('button', { name: 'Original wiederherstellen' }).click()
    await toast(page).waitFor()
    expect(await toast(page).innerText()).toMatch(/^1 Original ist nicht zurück: Der Datenträger ist voll/)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  const openFailed = async (reason: Reason) => {
    const row = { ...ROW, state: 'failed' as const, reason, nextSteps: [] }
    const answers = { 'jobs.rows': { rows: [row] }, 'jobs.detail': { ...DETAIL, row } }
    return openDetail(answers, 'de-DE')
  }

  it("says the particulars of a failure in German where they are Hangar's", async () => {
    const page = await openFailed({ code: 'cut_off', detail: say('stops_early') })
    const said = 'Das Bild ist unvollständig; vielleicht wird es noch kopiert.'
    await page.getByText(said).waitFor()
    expect(await page.locator('.jobs-state').first().getAttribute('title')).toBe(
      `Fehlgeschlagen. Abgeschnitten. ${said}`,
    )
  })

  it('leaves the words of the service as they are, in quotes and as text', async () => {
    const page = await openFailed({ code: 'rejected_by_service', detail: raw('422: <img src=x onerror=alert(1)>') })
    await page.getByText('Er sagt: „422: <img src=x onerror=alert(1)>“.').waitFor()
  })

  it('says what is wrong with the address in German, and its own words before those of the program', async () => {
    const balance = {
      'credits.balance': failure('address_wrong', say('service_address_wrong', { why: raw('404') })),
    }
    await world.show(
      {},
      { ...balance, 'credits.history': failure('internal', raw('x is undefined')) },
      { locale: 'de-DE' },
    )
    const { page } = world.shown
    await page.keyboard.press('Control+3')
    await page.getByRole('alert').filter({ hasText: 'In Hangar selbst ist etwas schiefgegangen' }).waitFor()
    await page.getByRole('button', { name: 'Guthaben aktualisieren' }).click()
    await toast(page).waitFor()
    expect(await toast(page).innerText()).toBe('Die Adresse des Dienstes scheint falsch zu sein (404).')
  })
})
