import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()

const HOSTILE = '<img src=x onerror=alert(1)>\u202egnp.sh'
const SECRET = { present: true, setAtMs: 1_780_000_000_000, place: 'keychain', because: null }
const failed = {
  id: '1',
  when: { on: 'done' },
  target: { kind: 'program', file: `/opt/${HOSTILE}`, args: ['--text', 'a b'] },
  last: { atMs: 1_780_000_000_000, why: { code: 'hook_exit', values: { status: '7' } }, isTrial: false },
}
const waiting = {
  id: '2',
  when: { on: 'low_credits', below: 1500 },
  target: { kind: 'address', url: 'https://chat.example.org/7' },
  last: null,
}

const show = async (hooks: unknown[], answers: Record<string, unknown> = {}) => {
  const app = { ...stateWith().app, capabilities: ['hooks' as const] }
  const shown = await world.show(
    { app },
    {
      'recipes.list': { recipes: [] },
      'log.read': { lines: [] },
      'jobs.quarantined': { rows: [] },
      'hooks.list': { hooks, secret: SECRET },
      ...answers,
    },
  )
  await shown.page.evaluate("location.hash = '#/settings/hooks'")
  await shown.page.getByRole('region', { name: 'Other programs' }).waitFor()
  return { ...shown, section: shown.page.getByRole('region', { name: 'Other programs' }) }
}

describeWith(CHROMIUM)('the hooks in the settings', () => {
  it('say what each does and how it ended, and their buttons say of which', async () => {
    const { section, complaints } = await show([failed, waiting])
    const [first, second] = [section.getByRole('listitem').nth(0), section.getByRole('listitem').nth(1)]
    await first.getByText(/^Failed .* It ended with exit status 7\.$/).waitFor()
    expect(await first.locator('bdi').innerText()).toBe(`"/opt/${HOSTILE.replace('\u202e', '')}" --text "a b"`)
    expect(await second.innerText()).toContain('Has not run yet.')
    for (const action of ['Send a trial', 'Change', 'Remove'])
      await section
        .getByRole('button', { name: `${action}: When the credits fall below 1,500, chat.example.org` })
        .waitFor()
    expect(complaints).toEqual([])
  })

  it('are set by keyboard: errors stand at their fields, and the focus stays in the section', async () => {
    const { page, section, ...shown } = await show([], { 'hooks.save': { saved: true } })
    await section.getByRole('button', { name: 'Add hook' }).focus()
    await page.keyboard.press('Enter')
    const when = section.getByLabel('When', { exact: true })
    await expect
      .poll(() =>
        when.evaluate(
          (one) =>
            one === (one as unknown as { ownerDocument: { activeElement: unknown } }).ownerDocument.activeElement,
        ),
      )
      .toBe(true)
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByRole('alert').getByText('Choose a program.').waitFor()
    await section.getByRole('radio', { name: 'Post to an address' }).check()
    await section.getByRole('button', { name: 'Save' }).click()
    const address = section.getByRole('textbox', { name: 'Address' })
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
    await when.selectOption('low_credits')
    const below = section.getByLabel('Below how many credits')
    await below.fill('0')
    await address.fill(' https://chat.example.org/7 ')
    await page.keyboard.press('Enter')
    await section.getByText('Give a whole number from 1 to 1,000,000,000.').waitFor()
    expect(await shown.asked('hooks.save')).toEqual([])
    await below.fill('50')
    await expect.poll(() => below.getAttribute('aria-invalid')).toBe('false')
    await page.keyboard.press('Enter')
    await section.getByRole('button', { name: 'Add hook' }).waitFor()
    const request = { id: null, when: { on: 'low_credits', below: 50 } }
    const target = { kind: 'address', url: 'https://chat.example.org/7' }
    expect(await shown.asked('hooks.save')).toEqual([{ ...request, target }])
    expect(await page.evaluate('document.activeElement.id')).toBe('settings-hooks-title')
  })

  it('send the token of a chosen program, and keep the one that a hook has', async () => {
    const { section, ...shown } = await show([failed], {
      'hooks.save': { saved: false },
      'hooks.pickProgram': { program: { token: 'a-token', path: '/usr/bin/true' } },
    })
    await section.getByRole('button', { name: /^Change/ }).click()
    await section.getByLabel('Arguments').fill('one\n\n two \n')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await shown.asked('hooks.save')).length).toBe(1)
    await section.getByRole('button', { name: 'Choose program…' }).click()
    await section.getByText('/usr/bin/true').waitFor()
    await section.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await shown.asked('hooks.save')).length).toBe(2)
    const target = { kind: 'program', args: ['one', '', ' two '] }
    expect(await shown.asked('hooks.save')).toEqual([
      { id: '1', when: { on: 'done' }, target: { ...target, program: null } },
      { id: '1', when: { on: 'done' }, target: { ...target, program: 'a-token' } },
    ])
  })

  it('are not there for a page in a browser', async () => {
    const { page, ...shown } = await world.show({}, { 'recipes.list': { recipes: [] }, 'log.read': { lines: [] } })
    await page.evaluate("location.hash = '#/settings'")
    await page.getByRole('region', { name: 'Data' }).waitFor()
    expect(await page.getByRole('region', { name: 'Other programs' }).count()).toBe(0)
    expect(await shown.asked('hooks.list')).toEqual([])
  })
})
