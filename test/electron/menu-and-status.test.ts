import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { menuTemplate, type MenuDeps } from '../../src/main/electron/menu-template.ts'
import { createReloadLimit } from '../../src/main/electron/recover-page.ts'
import { statusLine, isWorking } from '../../src/main/electron/work-indicator.ts'
import { externalLinks } from '../../src/main/page/external-links.ts'
import { createTexts } from '../../src/main/page/texts.ts'
import type { HostStatus } from '../../src/main/page/ui-host.ts'
import { noCounts } from '../page/fake-engine.ts'

function status(
  changes: Partial<Omit<HostStatus, 'counts'>> & { counts?: Partial<HostStatus['counts']> } = {},
): HostStatus {
  const progress = { total: 0, ended: 0, done: 0, savedBytes: 0, leftMs: null, resultsPerMinute: null }
  return { paused: false, progress, needsPerson: 0, away: 0, ...changes, counts: { ...noCounts(), ...changes.counts } }
}
const at = (ended: number, total: number) => ({ ...status().progress, ended, total })

it('the status in a few words says what goes on, whether it is paused, and whether a person is needed', () => {
  const english = createTexts('en', 'system')
  expect(statusLine(english, status())).toBe('Nothing to do')
  expect(statusLine(english, status({ progress: at(3, 12) }))).toBe('3 of 12 finished')
  expect(statusLine(english, status({ paused: true, progress: at(3, 12) }))).toBe('Paused · 3 of 12 finished')
  const over = { ...at(6, 6), done: 2 }
  expect(statusLine(english, status({ progress: over, counts: { failed: 4 }, needsPerson: 4 }))).toBe(
    '2 pictures done · 4 things need you',
  )
  expect(statusLine(english, status({ away: 1 }))).toBe('one batch waiting for its drive')
  expect(statusLine(english, status({ paused: true, needsPerson: 1 }))).toBe('Paused · one thing needs you')
})

describe('sleep is put off', () => {
  it('while something was sent, even when paused, and while something is to be sent', () => {
    expect(isWorking(status({ paused: true, counts: { waiting: 1 } }))).toBe(true)
    expect(isWorking(status({ counts: { ready: 2 }, progress: at(0, 2) }))).toBe(true)
  })

  it('no longer when all is paused, held or over', () => {
    expect(isWorking(status({ paused: true, counts: { ready: 2 }, progress: at(0, 2) }))).toBe(false)
    expect(isWorking(status({ counts: { held: 2, done: 5 }, progress: at(5, 7) }))).toBe(false)
  })
})

describe('the menu', () => {
  const build = (platform: NodeJS.Platform, changes: Partial<MenuDeps> = {}, paused = false) => {
    const nothing = (): void => undefined
    const deps: MenuDeps = {
      platform,
      development: false,
      texts: createTexts('en', 'system'),
      links: {},
      open: nothing,
      pressInPage: nothing,
      page: () => null,
      setPaused: nothing,
      openLink: nothing,
      openLicences: nothing,
      ...changes,
    }
    return menuTemplate(deps, paused)
  }
  const flat = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])

  it.each<NodeJS.Platform>(['linux', 'win32', 'darwin'])('has every word and one way to quit on %s', (platform) => {
    const items = flat(build(platform)).filter((item) => item.type !== 'separator')
    for (const item of items) expect(item.label ?? item.role, JSON.stringify(item)).toMatch(/^&?[A-Z]/)
    expect(items.filter((item) => item.role === 'quit')).toHaveLength(1)
    expect(items.filter((item) => item.role === 'about')).toHaveLength(1)
  })

  it("shows the page's own shortcuts and presses them, without taking them away from the page", () => {
    const pressed: string[] = []
    const shortcuts = flat(build('linux', { pressInPage: (key) => pressed.push(key) })).filter(
      (item) => item.registerAccelerator === false,
    )
    for (const item of shortcuts) item.click?.(undefined as never, undefined, {})
    expect(shortcuts.map((item) => item.accelerator)).toEqual([',', 1, 2, 3, 4].map((key) => `CmdOrCtrl+${key}`))
    expect(pressed).toEqual([',', '1', '2', '3', '4'])
  })

  it('gives developer tools to developers only', () => {
    const roles = (development: boolean) => flat(build('linux', { development })).map((item) => item.role)
    expect(roles(true)).toContain('toggleDevTools')
    expect(roles(false)).not.toContain('toggleDevTools')
    expect(roles(false)).not.toContain('reload')
  })

  it('offers to pause or to go on, and the links there are', () => {
    const labels = (paused: boolean) => flat(build('linux', {}, paused)).map((item) => item.label)
    expect(labels(false)).toContain('Pause sending')
    expect(labels(true)).toContain('Resume sending')
    expect(flat(build('linux', { links: { issues: 'https://a.example/' } })).map((item) => item.label)).toContain(
      'Report a problem',
    )
  })
})

it('links out of the program are those of the manifest, by name, as https', () => {
  const repository = { url: 'git+https://code.example/hangar.git' }
  expect(externalLinks({ homepage: 'https://hangar.example', repository, bugs: 'http://plain.example' })).toEqual({
    documentation: 'https://hangar.example',
    source: 'https://code.example/hangar.git',
  })
  expect(externalLinks({ homepage: 'javascript:alert(1)', bugs: { url: 'file:///etc/passwd' } })).toEqual({})
})

it('a page that crashes is loaded again three times a minute and no more', () => {
  const mayReload = createReloadLimit()
  expect([0, 1, 2, 3].map((atMs) => mayReload(atMs))).toEqual([true, true, true, false])
  expect(mayReload(59_999)).toBe(false)
  expect(mayReload(60_001)).toBe(true)
})
