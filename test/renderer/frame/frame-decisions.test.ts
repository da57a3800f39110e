import { describe, expect, it } from 'vitest'
import { needsPerson } from '../../../src/shared/presentation/progress-figures.ts'
import { serviceHost, serviceTrouble } from '../../../src/renderer/store/service-trouble.ts'
import { keysText, matchesKeys, type Press } from '../../../src/renderer/parts/shortcut-keys.ts'
import { countDragged } from '../../../src/renderer/overlays/drag-count.ts'
import common from '../../../src/shared/text/en/common.json' with { type: 'json' }
import { NO_JOBS, stateWith } from '../harness/fake-bridge.ts'

const press = (key: string, held: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
})

describe('shortcuts', () => {
  it('take Control for mod, and Command on an Apple keyboard', () => {
    expect(matchesKeys('mod+k', press('k', { ctrlKey: true }), false)).toBe(true)
    expect(matchesKeys('mod+k', press('k', { metaKey: true }), false)).toBe(false)
    expect(matchesKeys('mod+k', press('k', { metaKey: true }), true)).toBe(true)
    expect(matchesKeys('mod+k', press('k', { ctrlKey: true }), true)).toBe(false)
  })

  it('do not fire with more keys held than they name', () => {
    expect(matchesKeys('k', press('k', { ctrlKey: true }), false)).toBe(false)
    expect(matchesKeys('mod+k', press('K', { ctrlKey: true, shiftKey: true }), false)).toBe(false)
    expect(matchesKeys('mod+1', press('1', { ctrlKey: true, altKey: true }), false)).toBe(false)
  })

  it('take a sign however it is typed, as "?" needs Shift on some keyboards', () => {
    expect(matchesKeys('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(matchesKeys('?', press('?'), false)).toBe(true)
  })

  it('are written as the keyboard has them', () => {
    expect(keysText('mod+k', false, common.keys)).toBe('Ctrl+K')
    expect(keysText('mod+k', true, common.keys)).toBe('⌘K')
    expect(keysText('space', true, common.keys)).toBe('Space')
  })
})

describe('the service in the rail', () => {
  const service = stateWith().service!

  it('has no trouble while it works, or only asks to wait', () => {
    expect(serviceTrouble(service)).toBeNull()
    for (const code of ['ledger_away', 'ledger_refused', 'ledger_newer'] as const)
      expect(serviceTrouble({ ...service, unreachable: { code, detail: null, forMs: 5000 } })).toMatchObject({
        code: 'ledger',
        section: 'team',
      })
    expect(serviceTrouble({ ...service, unreachable: { code: 'rate_limited', detail: null, forMs: 5000 } })).toBeNull()
  })

  it('leads to where each trouble is settled', () => {
    const held = (code: 'key_refused' | 'credits_short') => serviceTrouble({ ...service, hold: { code, detail: null } })
    expect(held('key_refused')).toMatchObject({ code: 'keyRefused', place: 'settings', section: 'services' })
    expect(held('credits_short')).toMatchObject({ code: 'creditsShort', place: 'credits' })
    expect(serviceTrouble({ ...service, practice: false, hasKey: false })).toMatchObject({ code: 'keyMissing' })
    expect(
      serviceTrouble({ ...service, unreachable: { code: 'service_unreachable', detail: null, forMs: 9000 } }),
    ).toMatchObject({
      code: 'unreachable',
      forMs: 9000,
    })
  })

  it('is named by its host alone', () => {
    expect(serviceHost({ ...service, baseUrl: 'https://images.example/api/v1' })).toBe('images.example')
    expect(serviceHost({ ...service, baseUrl: null })).toBeNull()
  })
})

describe('what needs a person', () => {
  it('is what is held, failed or unknown', () => {
    expect(needsPerson({ ...NO_JOBS, ready: 50, done: 9, skipped: 4, held: 3, failed: 2, unknown: 1 })).toBe(6)
  })
})

describe('a drag', () => {
  it('is counted by what the browser tells before the drop', () => {
    const items = [
      { kind: 'file', type: 'image/jpeg' },
      { kind: 'file', type: 'image/webp' },
      { kind: 'file', type: '' },
      { kind: 'file', type: 'text/plain' },
      { kind: 'string', type: 'text/uri-list' },
    ]
    expect(countDragged(items)).toEqual({ pictures: 2, untyped: 1, others: 1 })
  })
})
