import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { CHROMIUM, describeWith, itWith } from '../../../needs.ts'
import type { JobDetail, JobRow } from '../../../../src/shared/contract/jobs.ts'
import type { UiState } from '../../../../src/shared/contract/stream.ts'
import { say } from '../../../../src/shared/sentences/sentence.ts'
import { axe } from '../../../e2e/axe.ts'
import { noise } from '../../../images/pictures.ts'
import { NO_JOBS, stateWith } from '../../harness/fake-bridge.ts'
import { type PageWorld, windowForEachTest, type WithShell } from '../../harness/frame-page.ts'
import { jobDetail, jobRow, previewOf } from '../../harness/job-row.ts'

const MANY = Array.from({ length: 3000 }, (_, n) => `j${String(2999 - n).padStart(4, '0')}`)
const FAILED: Partial<JobRow> = {
  state: 'failed',
  optimizedBytes: null,
  convertedBytes: null,
  nextSteps: ['retry', 'drop'],
  reason: { code: 'rejected_by_service', detail: { raw: 'It is no picture' } },
}
const TEXT = {
  languageCode: 'en',
  seoFilename: 'red-aircraft',
  altText: 'A red aircraft',
  original: null,
  originalName: null,
}
/** What `jobs.editText` answers. */
const SAVED = { texts: [TEXT], sidecarWritten: true, why: null, filesLeft: [] }

const world = windowForEachTest()
afterEach(() => {
  expect(world.shown.complaints.filter((text) => !text.includes('404'))).toEqual([])
})

const sectionOf = (key: string, ids: string[], folderId: string | null = null) => ({
  key,
  title: `/pictures/${key}`,
  folderId,
  atMs: null,
  ids,
})
const indexOf = (ids: string[]) => ({ sections: ids.length === 0 ? [] : [sectionOf('', ids)] })

const detailOf = (row: JobRow): JobDetail =>
  jobDetail(row, { texts: [TEXT], history: [{ atMs: 1, event: 'found', state: 'ready', reason: null }] })

/** Shows Pictures with these, newest first. Rows are answered whether they are asked for or not. */
async function show(
  rows: JobRow[],
  more: { ids?: string[]; answers?: object; state?: Partial<UiState> } & Parameters<PageWorld['show']>[2] = {},
): Promise<Page> {
  const counts: UiState['counts'] = { ...NO_JOBS }
  for (const { state } of rows) counts[state] += 1
  const answers = {
    'jobs.index': indexOf(more.ids ?? rows.map(({ id }) => id)),
    'jobs.rows': { rows },
    'jobs.detail': detailOf(rows[0]!),
    ...more.answers,
  }
  const { ids: _ids, answers: _answers, state, ...look } = more
  await world.show({ counts, ...state }, answers, look)
  // With its row: what a key does depends on the states.
  await line(world.shown.page, rows[0]!.id).locator('.file-name').waitFor()
  return world.shown.page
}

const line = (page: Page, id: string) => page.locator(`[data-name="${id}"]`)
const names = (page: Page, which = '') =>
  page
    .locator(`.jobs-line${which}`)
    .evaluateAll((lines: { dataset: { name: string } }[]) => lines.map((one) => one.dataset.name))
const chosen = (page: Page) => names(page, '[aria-selected=true]')
/** Opening a picture selects it; back on the list, it has the keys. */
async function choose(page: Page, id: string): Promise<void> {
  await line(page, id).click()
  await page.keyboard.press('Escape')
}
const some = (count: number, more: Partial<JobRow> = {}) =>
  Array.from({ length: count }, (_, n) => jobRow(`j${count - n}`, more))
const changeJobs = (page: Page, changes: { added?: string[]; rows?: JobRow[]; stale?: boolean }) =>
  page.evaluate((told) => (globalThis as WithShell).shell.changeJobs(told), changes)
const listHasFocus = (page: Page) => page.locator('[role=grid]:focus-within').waitFor()

describeWith(CHROMIUM)('the list of jobs', () => {
  it('shows what the service gave for a picture and was not taken against the original', async () => {
    const why = say('served_size', { size: '20 × 15', wanted: '40 × 30' })
    const page = await show([jobRow('a', { ...FAILED, reason: { code: 'not_this_picture', detail: why } })])
    const body = await noise(40, 30).png().toBuffer()
    await page.route('**/picture/a/**', (route) => route.fulfill({ contentType: 'image/png', body }))
    await line(page, 'a').click()
    const pictures = page.getByRole('figure', { name: 'Before and after' })
    await pictures.getByRole('img', { name: 'From the service, not used' }).waitFor()
    await pictures.getByRole('img', { name: 'Original' }).waitFor()
    await page.getByText('The file measures 20 × 15 instead of 40 × 30.').first().waitFor()
  })

  it('says in the list on which computer of the team a picture is under way', async () => {
    const detail = { code: 'on_computer', values: { computer: 'NAS' } } as const
    const rows = [
      jobRow('a', { state: 'ready', reason: { code: 'under_way_elsewhere', detail } }),
      jobRow('b', { state: 'unknown', reason: { code: 'unknown_elsewhere', detail } }),
      jobRow('c', { state: 'unknown', reason: { code: 'unknown_elsewhere', detail: null } }),
    ]
    const page = await show(rows)
    await line(page, 'a').getByText('Under way on NAS', { exact: true }).waitFor()
    await line(page, 'b').getByText('Unknown on NAS', { exact: true }).waitFor()
    await line(page, 'c').getByText('Unknown on another computer', { exact: true }).waitFor()
    await line(page, 'a').click()
    await page.getByText('Another computer of the team is already doing the same picture.').waitFor()
    await page.getByText('On NAS.', { exact: true }).waitFor()
  })

  it('asks for the rows in sight and has elements for those only', async () => {
    const page = await show(
      MANY.slice(0, 100).map((id) => jobRow(id)),
      { ids: MANY },
    )
    expect((await names(page)).length).toBeLessThan(60)
    const grid = page.getByRole('grid', { name: 'Pictures · Newest first' })
    expect(await grid.getAttribute('aria-rowcount')).toBe('751')
    const asked = (await world.shown.asked('jobs.rows')) as { ids: string[] }[]
    expect(asked[0]!.ids.length).toBeLessThan(100)
    await grid.press('End')
    await line(page, 'j0000').waitFor()
    expect(await page.locator('.jobs-tiles').last().getAttribute('aria-rowindex')).toBe('751')
  })

  it('is moved through and chosen from with the keyboard alone', async () => {
    const page = await show(some(5))
    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('ArrowRight')
    expect(await chosen(page)).toEqual(['j4'])
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).toEqual(['j1'])
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await chosen(page)).toEqual(['j3'])
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    expect(await chosen(page)).toEqual(['j4', 'j3', 'j2'])
    expect(await grid.getAttribute('aria-activedescendant')).toBe('job-j2')
    await page.keyboard.press('Control+a')
    expect(await chosen(page)).toHaveLength(5)
    await page.getByText('5 selected').waitFor()
    await page.keyboard.press('Escape')
    expect(await chosen(page)).toEqual([])
  })

  it('is sorted and laid out as a person chose, and stays so after a reload', async () => {
    const page = await show(some(3))
    const orders = async () =>
      ((await world.shown.asked('jobs.index')) as { order?: object }[]).map(({ order }) => order).at(-1)
    const choose = async (now: string, order: string) => {
      await page.getByRole('button', { name: now }).click()
      await page.getByRole('menuitemradio', { name: order }).click()
    }
    await choose('Newest first', 'Most saved first')
    await expect.poll(orders).toEqual({ by: 'saving', descending: true })
    await page.getByRole('grid', { name: 'Pictures · Most saved first' }).waitFor()
    expect(await axe(page)).toEqual([])
    const width = async () => Math.round((await line(page, 'j3').boundingBox())!.width)
    const before = await width()
    await page.getByRole('slider', { name: 'Size of the pictures' }).press('End')
    await expect.poll(width).toBeGreaterThanOrEqual(Math.max(320, before + 1))
    await page.getByRole('button', { name: 'Show as list' }).click()
    await expect.poll(width).toBeGreaterThan(900)
    expect(await axe(page)).toEqual([])
    await page.reload()
    await expect.poll(orders).toEqual({ by: 'saving', descending: true })
    await expect.poll(width).toBeGreaterThan(900)
    await choose('Most saved first', 'Newest first')
    await page.getByRole('button', { name: 'Show as grid' }).click()
    await expect.poll(width).toBeGreaterThanOrEqual(320)
  })

  it('shows what a person started at once, and nothing that a watched folder brings under the pointer', async () => {
    const page = await show(some(3))
    const told = async (...sections: object[]) => {
      await world.shown.answer({ 'jobs.index': { sections } })
      await changeJobs(page, { added: ['new'] })
    }
    const groups = [sectionOf('run', ['k1']), sectionOf('', ['j3', 'j2', 'j1'])]
    await line(page, 'j1').hover()
    await line(page, 'j2').hover()
    await told(...groups)
    await line(page, 'k1').waitFor()
    await told(sectionOf('f', ['n2', 'n1'], 'f'), ...groups)
    const pill = page.getByRole('button', { name: '2 new · show' })
    await pill.waitFor()
    expect(await names(page)).toEqual(['k1', 'j3', 'j2', 'j1'])
    await pill.click()
    expect(await names(page)).toEqual(['n2', 'n1', 'k1', 'j3', 'j2', 'j1'])
  })

  it('says over a group how far it is, counts what a search finds, and shows only the group on request', async () => {
    const page = await show(some(3), { state: { needsReview: 9 } })
    const group = { key: '', counts: { done: 14, waiting: 6 }, savedBytes: 1_400_000, needsReview: 2, own: 3 }
    const later = { key: 'later', counts: { ready: 6, held: 8 }, savedBytes: 0, needsReview: 0, own: 0 }
    await world.shown.answer({ 'jobs.groups': { groups: [group, later] }, 'jobs.rows': { rows: some(3) } })
    await world.shown.tell({ progress: { ...stateWith().progress, total: 12, leftMs: 22 * 60_000 } })
    await changeJobs(page, { rows: some(1) })
    await page.getByText(/^14 of 20 · 11 mins? · −1.4 MB · 3 files made by Hangar left out$/).waitFor()
    await world.shown.answer({ 'jobs.groups': { groups: [group] } })
    await page.getByRole('button', { name: 'Review 2' }).waitFor()
    await page.getByRole('searchbox').fill('j')
    await page.getByRole('button', { name: 'All 20' }).waitFor()
    await page.getByRole('button', { name: 'To review 2' }).waitFor()
  })

  it('is searched for what a person types, and says when nothing matches', async () => {
    const page = await show(some(3))
    await world.shown.answer({ 'jobs.index': indexOf([]) })
    await page.keyboard.press('Control+f')
    await page.getByRole('searchbox').and(page.locator(':focus')).fill('zeppelin')
    await expect
      .poll(async () => (await world.shown.asked('jobs.index')).at(-1))
      .toMatchObject({ filter: { search: 'zeppelin' } })
    await page.getByText('No picture matches.').waitFor()
    await world.shown.answer({ 'jobs.index': indexOf(['j3']) })
    await page.getByRole('button', { name: 'Show all pictures' }).click()
    await line(page, 'j3').waitFor()
  })

  it('says at the address of a job that has expired how long jobs are kept, and how to see it again', async () => {
    const page = await show(some(3), {
      answers: { 'jobs.detail': { error: { code: 'not_found', sentence: { raw: '' } } } },
    })
    await page.evaluate("location.hash = '#/jobs/expired'")
    const notice = page.locator('.stage').getByRole('alert')
    await notice.waitFor()
    expect(await notice.textContent()).toMatch(/not in the list any more.*after 90 days.*add it again/)
    await notice.getByRole('button', { name: 'Choose pictures' }).waitFor()
    await notice.getByRole('button', { name: 'Back to the list' }).click()
    await notice.waitFor({ state: 'detached' })
  })

  it('folds its groups by a click and by the arrow keys', async () => {
    const page = await show(some(4))
    await world.shown.answer({
      'jobs.index': { sections: [sectionOf('a', ['j4', 'j3']), sectionOf('b', ['j2', 'j1'])] },
    })
    await page.getByRole('button', { name: 'Newest first' }).click()
    await page.getByRole('menuitemradio', { name: 'By folder' }).click()
    const head = page.getByRole('rowheader', { name: /^a/ })
    await head.click()
    await line(page, 'j4').waitFor({ state: 'detached' })
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowRight')
    await line(page, 'j4').waitFor()
  })

  it('says what cannot be read and tries again', async () => {
    const page = await show(some(1))
    await world.shown.answer({
      'jobs.index': { error: { code: 'internal', sentence: { raw: 'The disk is gone.' } } },
    })
    await page.getByRole('button', { name: /^All/ }).click()
    await page.getByRole('alert').getByText('The disk is gone.').waitFor()
    await world.shown.answer({ 'jobs.index': indexOf(['j1']) })
    await page.getByRole('button', { name: 'Retry' }).click()
    await line(page, 'j1').waitFor()
    world.shown.complaints.length = 0
  })
})

describeWith(CHROMIUM)('what is done to jobs', () => {
  it('is offered by a right click, for the picture under it', async () => {
    const page = await show(some(3), { answers: { 'jobs.remove': { removed: 1, left: {}, undo: 'u1' } } })
    await line(page, 'j2').click({ button: 'right' })
    const items = page.getByRole('menuitem')
    await expect
      .poll(() => items.allTextContents())
      .toEqual(['Open', 'Copy the alt text', 'Copy HTML', 'Process with another recipe…', 'Remove from the list'])
    expect(await chosen(page)).toEqual(['j2'])
    await items.last().click()
    await expect.poll(() => world.shown.asked('jobs.remove')).toMatchObject([{ ids: ['j2'] }])
    await items.first().waitFor({ state: 'detached' })
    await listHasFocus(page)
  })

  it('is chosen by a rectangle that is drawn from between the tiles, and no more by a click there', async () => {
    const page = await show(some(5))
    const [first, last] = await Promise.all(['j4', 'j1'].map((id) => line(page, id).boundingBox()))
    await page.mouse.move(first!.x - 8, first!.y + first!.height / 2)
    await page.mouse.down()
    await page.mouse.move(first!.x + 20, last!.y + 20, { steps: 3 })
    expect(await chosen(page)).toEqual(['j4'])
    await page.mouse.move(last!.x + 20, last!.y + 20)
    expect(await chosen(page)).toEqual(['j5', 'j1'])
    await page.mouse.up()
    await page.getByText('2 selected').waitFor()
    await page.mouse.click(first!.x - 8, first!.y + 10)
    expect(await chosen(page)).toEqual([])
  })

  it('leaves what needs a person, says so, and takes the removal back with the keyboard at any time', async () => {
    const rows = [jobRow('done'), jobRow('failed', FAILED), jobRow('lost', { state: 'unknown', nextSteps: ['resend'] })]
    const taken = { removed: 1, left: { failed: 1, unknown: 1 }, undo: 'u1' }
    const page = await show(rows, { answers: { 'jobs.remove': taken, 'jobs.putBack': { putBack: 1 } } })
    await choose(page, 'done')
    await page.keyboard.press('Control+a')
    await world.shown.answer({ 'jobs.index': indexOf(['failed', 'lost']) })
    await page.keyboard.press('Delete')
    await page.getByText('2 stay, because they are under way or need you.').waitFor()
    expect(await names(page)).toEqual(['failed', 'lost'])
    expect(await world.shown.asked('jobs.remove')).toEqual([{ ids: ['done', 'failed', 'lost'], kind: 'settled' }])
    // The toast goes; the keys stay.
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await world.shown.answer({ 'jobs.index': indexOf(['done', 'failed', 'lost']) })
    await page.keyboard.press('Control+z')
    await line(page, 'done').waitFor()
    expect(await world.shown.asked('jobs.putBack')).toEqual([{ undo: 'u1' }])
    // Nothing was done in this window since: the last removal is meant, whenever that was.
    await page.keyboard.press('Control+z')
    await expect.poll(() => world.shown.asked('jobs.putBack')).toEqual([{ undo: 'u1' }, {}])
  })

  it('asks before it takes away what needs a person, when nothing else is chosen', async () => {
    const answers = { 'jobs.remove': { removed: 2, left: {}, undo: 'u1' } }
    const page = await show([...some(2, FAILED), jobRow('done')], { answers })
    await choose(page, 'j2')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: 'Remove 2 pictures that need your decision?' })
    expect(await dialog.textContent()).toContain('gives no credits back')
    expect(await world.shown.asked('jobs.remove')).toEqual([])
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove from the list' }).click()
    await expect.poll(() => world.shown.asked('jobs.remove')).toEqual([{ ids: ['j2', 'j1'], kind: 'unsettled' }])
  })

  it('finds removed ones again, and puts them back', async () => {
    const page = await show(some(2), { answers: { 'jobs.putBack': { putBack: 1 } }, state: { removed: 2 } })
    const gone = some(2, { removedAtMs: 1 }).map((row) => ({ ...row, id: `gone-${row.id}` }))
    const detail = { 'jobs.detail': detailOf(gone[0]!) }
    await world.shown.answer({
      'jobs.index': indexOf(gone.map(({ id }) => id)),
      'jobs.rows': { rows: gone },
      ...detail,
    })
    await page.getByRole('button', { name: 'By state' }).click()
    await page.getByRole('menuitem', { name: 'Removed 2' }).click()
    await line(page, 'gone-j2').click()
    expect(await world.shown.asked('jobs.index')).toContainEqual({ filter: { removed: true }, groupBy: 'batch' })
    await page.getByRole('button', { name: 'Put back' }).waitFor()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: 'Put back' }).click()
    await expect.poll(() => world.shown.asked('jobs.putBack')).toEqual([{ ids: ['gone-j2'] }])
    expect(await world.shown.asked('jobs.remove')).toEqual([])
    await page.getByText('1 picture is back on the list.').waitFor()
  })

  it('asks before what may be charged again, and says of how many', async () => {
    const page = await show([...some(2, FAILED), jobRow('done')], { answers: { 'jobs.retry': { changed: 2 } } })
    await choose(page, 'done')
    await page.keyboard.press('Control+a')
    await page.getByRole('button', { name: 'Retry (2)' }).click()
    const dialog = page.getByRole('dialog', { name: 'Try 2 pictures again?' })
    expect(await dialog.textContent()).toContain('may be charged again')
    expect(await world.shown.asked('jobs.retry')).toEqual([])
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Trying 2 pictures again.').waitFor()
    expect(await world.shown.asked('jobs.retry')).toEqual([{ ids: ['j2', 'j1'] }])
  })

  it('offers another recipe for those of several that it costs nothing twice for, and says for how many', async () => {
    const rows = [
      jobRow('done'),
      jobRow('held', { state: 'held', nextSteps: ['retry', 'cancel'] }),
      jobRow('unknown', { state: 'unknown', nextSteps: ['resend', 'drop'] }),
      jobRow('working', { state: 'waiting', nextSteps: ['cancel'] }),
    ]
    const picture = { token: 'tokentokentokentoken', name: 'done.jpg', path: '/pictures/done.jpg', kind: 'file' }
    const page = await show(rows, {
      answers: {
        'jobs.detail': detailOf(rows[2]!),
        'jobs.sources': { places: [picture], missing: 0 },
        'intake.preview': previewOf({ pictures: 1, toSend: 1, refused: 0, refusals: [], price: null }),
        'intake.add': { batchId: 'b2' },
      },
    })
    const offer = page.getByRole('button', { name: /^Process with another recipe/ })
    await line(page, 'unknown').click()
    await page.getByRole('button', { name: 'Ignore' }).waitFor()
    expect(await offer.count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+a')
    await expect.poll(() => offer.textContent()).toBe('Process with another recipe… (2)')
    await offer.click()
    await page.getByRole('button', { name: 'Process 1 picture' }).click()
    await expect.poll(() => world.shown.asked('intake.add')).toMatchObject([{ insteadOf: ['done', 'held'] }])
    expect(await world.shown.asked('jobs.sources')).toEqual([{ ids: ['done', 'held'] }])
    expect((await world.shown.asked('intake.preview')).at(-1)).toMatchObject({ insteadOf: ['done', 'held'] })
    // A batch of one, which is all that was asked for: its picture opens by itself at the end.
    await changeJobs(page, { rows: [jobRow('held', { state: 'waiting', batchId: 'b2' })] })
    await changeJobs(page, { rows: [jobRow('held', { batchId: 'b2' })] })
    await page.getByRole('region', { name: 'held.jpg' }).waitFor()
  })

  it('leaves several unsent without a question, and takes that back with the button or Ctrl+Z', async () => {
    const lost: Partial<JobRow> = {
      state: 'unknown',
      nextSteps: ['resend', 'drop'],
      reason: { code: 'unclear_answer', detail: null },
    }
    const answers = { 'jobs.resolve': { changed: 3 }, 'jobs.reopen': { changed: 3 } }
    const page = await show(some(3, lost), { answers })
    await choose(page, 'j2')
    await page.keyboard.press('Control+a')
    const leave = async () => {
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByRole('menuitem', { name: 'Ignore (3)' }).click()
      await page.getByText('3 pictures ignored.').waitFor()
    }
    const ids = ['j3', 'j2', 'j1']
    await leave()
    expect(await world.shown.asked('jobs.resolve')).toEqual([{ ids, how: 'drop' }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 pictures need your decision again.').waitFor()
    expect(await world.shown.asked('jobs.reopen')).toEqual([{ ids }])
    await leave()
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => world.shown.asked('jobs.reopen')).toEqual([{ ids }, { ids }])
  })

  it('offers to cancel what is still under way instead of taking it off the list', async () => {
    const page = await show([jobRow('done'), jobRow('going', { state: 'waiting', nextSteps: ['cancel'] })])
    await choose(page, 'done')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: '1 selected picture is still under way' })
    const taken = { removed: 1, left: {}, undo: 'u1' }
    await world.shown.answer({ 'jobs.index': indexOf(['going']), 'jobs.remove': taken })
    await dialog.getByRole('button', { name: 'Remove the one that ended' }).click()
    await line(page, 'done').waitFor({ state: 'detached' })
    expect(await world.shown.asked('jobs.remove')).toEqual([{ ids: ['done'], kind: 'settled' }])
    expect(await world.shown.asked('jobs.cancel')).toEqual([])
  })
})

describeWith(CHROMIUM)('the detail of a job', () => {
  it('saves an alt text when the field is left, says so, and gives the service’s words back', async () => {
    const edited = { ...TEXT, altText: 'A blue aircraft', original: 'A red aircraft' }
    const page = await show(some(1), { answers: { 'jobs.editText': { ...SAVED, texts: [edited] } } })
    await line(page, 'j1').click()
    const field = page.getByRole('textbox', { name: 'English' })
    await field.fill('A blue aircraft')
    await field.press('Control+Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    const order = { id: 'j1', languageCode: 'en' }
    expect(await world.shown.asked('jobs.editText')).toEqual([{ ...order, altText: 'A blue aircraft' }])
    await world.shown.answer({ 'jobs.editText': SAVED })
    await page.getByRole('button', { name: 'Back to the service’s words' }).click()
    await expect.poll(() => field.inputValue()).toBe('A red aircraft')
    expect((await world.shown.asked('jobs.editText')).at(-1)).toMatchObject({ ...order, altText: '' })
  })

  it('is marked as decoration with the keyboard, gives an empty alt text then, and is taken back', async () => {
    const rows = some(1, { review: 'needed' })
    const page = await show(rows, {
      answers: { 'jobs.decorative': { sidecarWritten: true, why: null, filesLeft: [], wasReviewed: false } },
    })
    await line(page, 'j1').click()
    const box = page.getByRole('checkbox', { name: 'Decorative' })
    await box.focus()
    await page.keyboard.press('Space')
    await page.getByText('The picture counts as decoration.').waitFor()
    expect(await box.isChecked()).toBe(true)
    await world.shown.answer({ 'jobs.detail': { ...detailOf(rows[0]!), decorative: true } })
    await changeJobs(page, { rows })
    await page.getByText(/^This picture is decoration only/).waitFor()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('Control+z')
    await expect
      .poll(() => world.shown.asked('jobs.decorative'))
      .toEqual([
        { id: 'j1', decorative: true },
        { id: 'j1', decorative: false, reviewed: false },
      ])
  })

  it('gives up what was typed, and takes it back with the keyboard', async () => {
    const page = await show(some(1))
    await line(page, 'j1').click()
    const field = page.getByRole('textbox', { name: 'English' })
    await field.fill('A blue airc')
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('A red aircraft')
    await page.keyboard.press('Control+z')
    expect(await field.inputValue()).toBe('A blue airc')
    expect(await world.shown.asked('jobs.editText')).toEqual([])
  })

  it('saves what is typed while a text is being saved, and keeps it until then', async () => {
    const rows = some(1)
    const saved = { ...SAVED, texts: [{ ...TEXT, altText: 'A blue' }] }
    const page = await show(rows)
    await page.evaluate(
      `shell.answers['jobs.editText'] = new Promise((resolve) => (window.answer = () => resolve(${JSON.stringify(saved)}))), null`,
    )
    await line(page, 'j1').click()
    const field = page.getByRole('textbox', { name: 'English' })
    await field.fill('A blue')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saving', { exact: true }).waitFor()
    await field.fill('A blue aircraft')
    await page.evaluate('answer()')
    await expect
      .poll(() => world.shown.asked('jobs.editText'))
      .toMatchObject([{ altText: 'A blue' }, { altText: 'A blue aircraft' }])
    expect(await field.inputValue()).not.toBe('A red aircraft')
  })

  it('offers what was written about the earlier picture of its name, to be used or given up', async () => {
    const earlier = [{ languageCode: 'en', altText: 'The old one' }]
    const rows = some(1)
    const page = await show(rows, {
      answers: { 'jobs.detail': { ...detailOf(rows[0]!), earlier } },
    })
    await line(page, 'j1').click()
    const field = page.getByRole('textbox', { name: 'English' })
    await page.getByText('The old one').waitFor()
    expect(await field.inputValue()).toBe('A red aircraft')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect
      .poll(() => world.shown.asked('jobs.earlierText'))
      .toEqual([{ id: 'j1', languageCode: 'en', altText: null }])
    await page.getByRole('button', { name: 'Use this text' }).click()
    await expect.poll(() => field.inputValue()).toBe('The old one')
  })

  it('keeps what was typed when another job is opened before it was saved', async () => {
    const page = await show(some(2), { answers: { 'jobs.editText': SAVED } })
    await line(page, 'j2').click()
    await page.getByRole('textbox', { name: 'English' }).fill('Typed and left')
    await page.getByRole('button', { name: 'Next picture' }).click()
    await expect
      .poll(() => world.shown.asked('jobs.editText'))
      .toMatchObject([{ id: 'j2', languageCode: 'en', altText: 'Typed and left' }])
  })

  it.each([1280, 390])('covers the list, and Escape gives it back as it was, %i pixels wide', async (width) => {
    const page = await show(some(100), { width })
    await line(page, 'j100').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    const stage = page.getByRole('region', { name: 'j1.jpg' })
    await stage.and(page.locator(':focus-within')).waitFor()
    await page.keyboard.press('Space')
    await stage.waitFor({ state: 'detached' })
    await listHasFocus(page)
    await line(page, 'j1').waitFor()
  })
})

describeWith(CHROMIUM)('work on texts', () => {
  it('is reviewed picture by picture with the keyboard alone', async () => {
    const rows = some(3, { review: 'needed' })
    const marked = { ...SAVED, wasReviewed: false }
    const answers = { 'jobs.editText': SAVED, 'jobs.review': { changed: 1 }, 'jobs.decorative': marked }
    const page = await show(rows, { answers, state: { needsReview: 3 } })
    await page.keyboard.press('r')
    const at = (n: number) => page.getByText(`Review texts: ${n} of 3`).waitFor()
    await at(1)
    expect((await world.shown.asked('jobs.index')).at(-1)).toMatchObject({ filter: { needsReview: true } })
    const field = page.getByRole('textbox', { name: 'English' })
    await field.waitFor()
    expect(await axe(page)).toEqual([])
    await page.keyboard.press('j')
    await at(2)
    await page.keyboard.press('k')
    await at(1)
    await field.waitFor()
    await page.keyboard.press('d')
    await expect.poll(() => world.shown.asked('jobs.decorative')).toEqual([{ id: 'j3', decorative: true }])
    await world.shown.answer({ 'jobs.detail': detailOf(rows[1]!) })
    await page.keyboard.press('a')
    await expect.poll(() => world.shown.asked('jobs.review')).toEqual([{ ids: ['j3'], reviewed: true }])
    await at(2)
    await field.waitFor()
    await page.keyboard.press('e')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('A jade aircraft')
    await page.keyboard.press('Control+Enter')
    await at(3)
    await expect
      .poll(() => world.shown.asked('jobs.editText'))
      .toMatchObject([{ id: 'j2', altText: 'A jade aircraft' }])
    await field.waitFor()
    await page.keyboard.press('e')
    await page.keyboard.press('Escape')
    await page.keyboard.press('a')
    await page.getByText('You looked at the texts of 3 pictures.').waitFor()
    await page.locator('.stage').waitFor({ state: 'detached' })
  })

  it('is approved as it is typed, and not while it cannot be saved', async () => {
    const rows = some(3, { review: 'needed' })
    const answers = {
      'jobs.editText': { error: { code: 'internal', sentence: { raw: 'The disk is full.' } } },
      'jobs.review': { changed: 1 },
      'jobs.detail': detailOf(rows[1]!),
    }
    const page = await show(rows, { answers, state: { needsReview: 3 } })
    const texts = async () => {
      const asked = (await world.shown.asked('jobs.editText')) as { altText: string }[]
      return [...new Set(asked.map(({ altText }) => altText))]
    }
    await line(page, 'j2').click()
    await page.getByRole('textbox', { name: 'English' }).fill('A blue aircraft')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor()
    await page.getByRole('textbox', { name: 'English' }).fill('A jade aircraft')
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(texts).toEqual(['A blue aircraft', 'A jade aircraft'])
    await page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor()
    expect(await world.shown.asked('jobs.review')).toEqual([])
    await world.shown.answer({ 'jobs.editText': SAVED, 'jobs.index': indexOf(['j3', 'j1']) })
    await page.getByRole('button', { name: 'Approve' }).click()
    await expect.poll(() => world.shown.asked('jobs.review')).toEqual([{ ids: ['j2'], reviewed: true }])
    expect(page.url()).toContain('/j1')
  })

  it('of a person in a language that the service has none in are said to be theirs', async () => {
    const swedish = { ...TEXT, languageCode: 'sv', original: '' }
    const rows = some(1)
    const page = await show(rows, { answers: { 'jobs.detail': jobDetail(rows[0]!, { texts: [TEXT, swedish] }) } })
    await line(page, 'j1').click()
    await page.getByRole('textbox', { name: 'Swedish' }).waitFor()
    expect(await page.getByText('Written here: the service has no text in this language.').count()).toBe(1)
  })

  it('are given back as they were before with undo, once, and what was discarded is not once another is typed', async () => {
    const named = (seoFilename: string) => ({ texts: [{ ...TEXT, seoFilename }], sidecarWritten: true, why: null })
    const page = await show(some(1), { answers: { 'jobs.editName': named('blue-aircraft'), 'jobs.editText': SAVED } })
    const field = page.getByRole('textbox', { name: 'English' })
    await line(page, 'j1').click()
    await page.getByLabel('SEO file name').fill('blue-aircraft')
    await page.keyboard.press('Enter')
    await page.getByText('The file name is saved.').waitFor()
    await field.fill('A blue aircraft')
    await field.press('Escape')
    await page.getByText('The text was discarded.').waitFor()
    await field.fill('A jade aircraft')
    await field.blur()
    await world.shown.answer({ 'jobs.editName': named(TEXT.seoFilename) })
    const key = { id: 'j1', languageCode: 'en' }
    const both = ['blue-aircraft', TEXT.seoFilename].map((seoFilename) => ({ ...key, seoFilename }))
    await page.keyboard.press('Control+z')
    await expect.poll(() => world.shown.asked('jobs.editName')).toEqual(both)
    await page.keyboard.press('Control+z')
    await field.fill('A green aircraft')
    await field.blur()
    await expect.poll(async () => (await world.shown.asked('jobs.editText')).length).toBe(2)
    expect(await world.shown.asked('jobs.editName')).toEqual(both)
  })
})

itWith(CHROMIUM)(
  'files with an earlier name are renamed on request, which names what stays, and back again with undo',
  async () => {
    const output = { path: '/pictures/red.webp', sizeBytes: 9, type: 'webp', state: 'published' } as const
    const outputs: JobDetail['outputs'] = [
      { ...output, index: 0, role: 'converted', name: 'red.webp', renameTo: 'blue.webp' },
      { ...output, index: 1, role: 'optimized', name: 'red-optimized.jpg', renameTo: 'blue-optimized.jpg' },
    ]
    const renamed = [{ from: 'red.webp', to: 'blue.webp' }]
    const answers = {
      'jobs.detail': { ...detailOf(jobRow('j1')), outputs },
      'jobs.renameFiles': { renamed, left: ['red-optimized.jpg'] },
    }
    const page = await show(some(1), { answers })
    await line(page, 'j1').click()
    await page.getByText('2 files still have their earlier names.').waitFor()
    expect(await page.locator('.renames ul').innerText()).toContain('blue.webp')
    expect(await axe(page)).toEqual([])
    await page.getByRole('button', { name: 'Rename 2 files' }).click()
    await page.getByText('red-optimized.jpg keeps its name').waitFor()
    await page.getByText('The file is renamed.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => world.shown.asked('jobs.renameFiles')).toEqual([{ id: 'j1' }, { id: 'j1', back: true }])
  },
)

itWith(CHROMIUM)(
  'a drag out of the list hands what was written to the shell, and not the page’s own elements',
  async () => {
    const { app } = stateWith()
    const output = { path: '/pictures/j1.webp', sizeBytes: 9, type: 'webp', state: 'published' } as const
    const outputs: JobDetail['outputs'] = [
      { ...output, index: 0, role: 'converted', name: 'j1.webp' },
      { ...output, index: 1, role: 'sidecar', name: 'j1.jpg.alt.json' },
    ]
    const page = await show(some(1), {
      answers: { 'jobs.detail': { ...detailOf(jobRow('j1')), outputs } },
      state: { app: { ...app, capabilities: [...app.capabilities, 'startDrag'] } },
    })
    await line(page, 'j1').dispatchEvent('dragstart')
    await expect.poll(() => world.shown.asked('outputs.drag')).toEqual([{ items: [{ id: 'j1', index: 0 }] }])
  },
)
