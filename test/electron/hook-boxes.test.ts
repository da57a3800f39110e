import { describe, expect, it } from 'vitest'
import { hookBoxes, hookDetail } from '../../src/main/electron/hook-boxes.ts'
import { createTexts } from '../../src/main/page/texts.ts'

const texts = createTexts('en', 'en')

function boxes(response: number) {
  const shown: Electron.MessageBoxOptions[] = []
  const copied: string[] = []
  const dialog = {
    showMessageBox: (options: Electron.MessageBoxOptions) => {
      shown.push(options)
      return Promise.resolve({ response, checkboxChecked: false })
    },
  }
  const asked = hookBoxes({
    dialog: dialog as never,
    clipboard: { writeText: (text: string) => copied.push(text) } as never,
    texts: () => texts,
    window: () => null,
    pickerFolders: { of: () => undefined, keep: () => undefined },
  })
  return { asked, shown, copied }
}

const command = (file: string, ...args: string[]) =>
  hookDetail({ on: 'done', below: null, target: { kind: 'program', file, args } }, texts).split('\n\n')[0]

describe('The box that asks about a hook', () => {
  it('shows each part of a command on a line of its own, and nothing in it hides or looks like another part', () => {
    expect(command('/usr/bin/notify send', '--text', 'Grüße, “done”')).toBe(
      '"/usr/bin/notify send"\n"--text"\n"Grüße, “done”"',
    )
    expect(command('/bin/sh', '-c', 'a\n"b"\t\u202egnp\u200b\u00a0\u2028\u{e0041}')).toBe(
      '"/bin/sh"\n"-c"\n"a\\n\\"b\\"\\t\\u{202e}gnp\\u{200b}\\u{a0}\\u{2028}\\u{e0041}"',
    )
  })

  it('says when, and below which balance', () => {
    const target = { kind: 'address' as const, url: 'https://chat.example.org/7' }
    const detail = hookDetail({ on: 'low_credits', below: 1500, target }, texts)
    expect(detail).toContain('"https://chat.example.org/7"')
    expect(detail).toContain('below 1,500')
  })

  it.each([
    [0, false],
    [1, true],
  ])('takes button %i for %s, and Enter and Escape for no', async (response, agreed) => {
    const { asked, shown } = boxes(response)
    const hook = { on: 'done' as const, below: null, target: { kind: 'program' as const, file: '/bin/true', args: [] } }
    expect(await asked.confirm(hook)).toBe(agreed)
    expect(await asked.confirmRenewal()).toBe(agreed)
    for (const options of shown) expect(options).toMatchObject({ defaultId: 0, cancelId: 0 })
    expect(shown.map(({ buttons }) => buttons![0])).toEqual(['Cancel', 'Cancel'])
  })

  it('shows a secret, and copies it when told to', async () => {
    const [copying, closing] = [boxes(0), boxes(1)]
    await copying.asked.showSecret('a-secret')
    await closing.asked.showSecret('a-secret')
    expect([copying.copied, closing.copied]).toEqual([['a-secret'], []])
    expect(copying.shown[0]!.detail).toContain('a-secret')
  })
})
