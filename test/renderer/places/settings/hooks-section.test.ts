import { expect, it } from 'vitest'
import { CHROMIUM, describeWith } from '../../../needs.ts'
import { stateWith } from '../../harness/fake-bridge.ts'
import { windowForEachTest } from '../../harness/frame-page.ts'

const world = windowForEachTest()

const FILE = '/home/me/.local/share/hangar/hooks.json'
const HOSTILE = '<img src=x onerror=alert(1)>\u202egnp.sh'
const failed = {
  hook: { on: 'done', run: [`/opt/${HOSTILE}`, '--text', 'a b'] },
  last: { atMs: 1_780_000_000_000, why: { code: 'hook_exit', values: { status: '7' } } },
}
const waiting = { hook: { on: 'low_credits', below: 1500, post: 'https://chat.example.org/7' }, last: null }

const show = async (answer: object, capabilities: 'reveal'[] = []) => {
  const app = { ...stateWith().app, capabilities }
  const shown = await world.show(
    { app },
    {
      'hooks.list': { file: FILE, hooks: [], problem: null, ...answer },
    },
  )
  await shown.page.evaluate("location.hash = '#/settings/hooks'")
  const section = shown.page.getByRole('region', { name: 'Other programs' })
  await section.getByText(FILE).first().waitFor()
  return { ...shown, section }
}

describeWith(CHROMIUM)('the hooks in the settings', () => {
  it('say what each does and how it ended', async () => {
    const { section, complaints } = await show({ hooks: [failed, waiting] })
    const [first, second] = [section.getByRole('listitem').nth(0), section.getByRole('listitem').nth(1)]
    await first.getByText(/^Failed .* It ended with exit status 7\.$/).waitFor()
    expect(await first.locator('bdi').innerText()).toBe(`"/opt/${HOSTILE.replace('\u202e', '')}" --text "a b"`)
    expect(await second.innerText()).toContain('When the credits fall below 1,500')
    expect(await second.innerText()).toContain('Has not run yet.')
    expect(complaints).toEqual([])
  })

  it('are written in a file, which the desktop app shows and a browser only names', async () => {
    const { section, ...shown } = await show({}, ['reveal'])
    await section.getByText('There are no hooks.').waitFor()
    await section.getByRole('button', { name: 'Show the file' }).click()
    await expect.poll(() => shown.asked('hooks.showFile')).toEqual([{}])
    const inBrowser = await show({})
    expect(await inBrowser.section.getByRole('button').count()).toBe(0)
  })

  it('say why none of them runs', async () => {
    const problem = { code: 'hooks_open', values: { path: FILE } }
    const { section } = await show({ problem })
    await section.getByRole('alert').getByText(`Others may change ${FILE}`).waitFor()
    expect(await section.getByText('There are no hooks.').count()).toBe(0)
  })
})
