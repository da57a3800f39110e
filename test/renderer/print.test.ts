import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../needs.ts'
import { NO_JOBS } from './harness/fake-bridge.ts'
import { windowForEachTest } from './harness/frame-page.ts'
import { jobDetail, jobRow } from './harness/job-row.ts'
import { aCharger } from './places/chargers/charger-samples.ts'
import { chargersWindow } from './places/chargers/chargers-window.ts'

const world = windowForEachTest()
const chargers = chargersWindow(world)

interface Paper {
  text: string
  lines: number
}

/** What is in the page at the moment of a print. */
const PAPER = `(() => {
  const paper = document.querySelector('.paper')
  return { text: paper?.textContent ?? '', lines: paper?.querySelectorAll('tbody > tr').length ?? 0 }
})()`

/** What would be printed now. */
const paperNow = (page: Page) =>
  page.evaluate<Paper>(`(() => {
    dispatchEvent(new Event('beforeprint'))
    const paper = ${PAPER}
    dispatchEvent(new Event('afterprint'))
    return paper
  })()`)

/** What the browser prints, and on how many sheets. */
async function printed(page: Page): Promise<Paper & { sheets: number }> {
  await page.evaluate(
    `addEventListener('afterprint', () => { globalThis.printed = ${PAPER} }, { capture: true, once: true })`,
  )
  const pdf = await page.pdf()
  const paper = await page.evaluate<Paper>('globalThis.printed')
  return { ...paper, sheets: pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0 }
}

const DOT =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="teal"/></svg>'

const some = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    jobRow(
      `j${String(count - n).padStart(5, '0')}`,
      n === count - 1
        ? { state: 'failed', reason: { code: 'rejected_by_service', detail: { raw: 'It is no picture' } } }
        : {},
    ),
  )

async function showJobs(count: number): Promise<Page> {
  const rows = some(count)
  const ids = rows.map(({ id }) => id)
  const { page } = await world.show(
    { counts: { ...NO_JOBS, done: count } },
    {
      'jobs.index': { sections: [{ key: '', title: null, atMs: null, ids }] },
      'jobs.rows': { rows: rows.slice(0, 2000) },
    },
  )
  await page.locator('.jobs-line .file-name').first().waitFor()
  return page
}

describeWith(CHROMIUM)('On paper', () => {
  it('Jobs has every line of the list, with what became of it, on as many sheets as that needs', async () => {
    const page = await showJobs(260)
    await expect.poll(async () => (await paperNow(page)).lines).toBe(260)
    const { text, sheets } = await printed(page)
    expect(text).toContain('260 jobs')
    for (const { name } of some(260)) expect(text).toContain(name)
    expect(text).toContain('It is no picture')
    expect(sheets).toBeGreaterThan(3)
    // It costs the window nothing in between.
    expect(await page.locator('.paper').count()).toBe(0)
    expect(world.shown.complaints.filter((said) => !said.includes('404'))).toEqual([])
  })

  it('Jobs has the first thousand of a longer list, and says so', async () => {
    const page = await showJobs(1200)
    await expect.poll(async () => (await paperNow(page)).lines).toBe(1000)
    expect((await paperNow(page)).text).toContain('The first 1,000 of 1,200 jobs')
  })

  it('an open picture has its two pictures, its texts whole and as they are typed now, and its files, not the list', async () => {
    const long = `A heron at dusk, ${'standing in the shallow water, '.repeat(60)}and the end.`
    const row = jobRow('j00001', { languages: ['en', 'de'], review: 'needed', convertedBytes: null })
    const text = (languageCode: string, altText: string) => ({
      languageCode,
      altText,
      seoFilename: `name-${languageCode}`,
      originalName: null,
      original: languageCode === 'de' ? 'Ein Vogel' : null,
    })
    const output = { index: 0, role: 'optimized', path: '/pictures/out.jpg', sizeBytes: 400, type: 'jpeg' } as const
    const detail = jobDetail(row, {
      texts: [text('en', 'A bird'), text('de', 'Ein Reiher')],
      outputs: [{ ...output, name: 'j00001-optimized.jpg', state: 'published' }],
    })
    const { page } = await world.show(
      { counts: { ...NO_JOBS, done: 2 } },
      {
        'jobs.index': { sections: [{ key: '', title: null, atMs: null, ids: ['j00001', 'j00002'] }] },
        'jobs.rows': { rows: [row, jobRow('j00002')] },
        'jobs.detail': detail,
        'jobs.draftText': { drafts: [] },
      },
    )
    await page.route('**/picture/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: DOT }))
    await page.locator('.jobs-line').first().click()
    await page.locator('.alt-text textarea').first().fill(long)
    await expect.poll(async () => (await paperNow(page)).text).toContain('and the end.')
    const { text: paper, sheets } = await printed(page)
    expect(paper).toContain(long)
    expect(paper).toContain('Draft, not saved')
    for (const part of [
      'Ein Reiher',
      'The service wrote: Ein Vogel',
      'name-de',
      'j00001-optimized.jpg',
      'Texts not looked at yet',
    ])
      expect(paper).toContain(part)
    expect(paper).not.toContain('j00002')
    expect(sheets).toBeLessThan(4)
  })

  it('Chargers has every line of the list, with position, state and hours, and what it leaves out', async () => {
    const many = Array.from({ length: 260 }, (_, n) =>
      aCharger({ id: n + 1, icao: null, airfield: `Field ${n + 1}`, kw: n === 7 ? '320' : '40' }),
    )
    const page = await chargers.showAll({ chargers: many, status: { count: 260 } })
    await expect.poll(async () => (await paperNow(page)).lines).toBe(260)
    const { text, sheets } = await printed(page)
    for (const { airfield } of many) expect(text).toContain(airfield)
    expect(text).toContain('Sample data, not for navigation')
    expect(text).toContain('N 47°')
    expect(text).toContain('320 kW')
    expect(sheets).toBeGreaterThan(3)
    await page.getByRole('button', { name: /^DC/ }).click()
    await page.getByPlaceholder('ICAO code, locator or airfield').fill('Field 25')
    await expect.poll(async () => (await paperNow(page)).lines).toBe(13)
    expect((await paperNow(page)).text).toMatch(/13 of 260 chargers · DC · Field 25/)
    // A panel over the list is printed in its place.
    await page.locator('.chargers-list').press('Enter')
    await page.locator('.chargers-panel').waitFor()
    expect((await paperNow(page)).lines).toBe(0)
  })
})
