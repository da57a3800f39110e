import { afterEach, beforeEach, expect, it } from 'vitest'
import { SettingsStore } from '../../src/main/engine/settings-store.ts'
import { openScratchJournal, type Db } from '../../src/main/journal/journal.ts'
import { DEFAULT_SETTINGS } from '../../src/shared/settings/settings.ts'

let db: Db
beforeEach(() => {
  db = openScratchJournal()
})
afterEach(() => db.close())

const withTheme = (theme: 'light' | 'dark') => ({ appearance: { ...DEFAULT_SETTINGS.appearance, theme } })

it('Only what depends on a changed setting hears of it, in the order of subscription', async () => {
  const store = new SettingsStore(db, {})
  const heard: string[] = []
  store.subscribe('any', () => {
    heard.push('any')
  })
  store.subscribe(['retentionDays', 'caps'], async () => {
    await Promise.resolve()
    heard.push('caps')
  })
  store.subscribe(['appearance'], () => {
    heard.push(`appearance: ${store.get().appearance.theme}`)
  })
  await store.change((stored) => ({ ...stored, ...withTheme('dark'), retentionDays: 7 }))
  expect(heard.splice(0)).toEqual(['any', 'caps', 'appearance: dark'])
  await store.change((stored) => ({ ...stored, ...withTheme('dark') }))
  expect(heard).toEqual([])
})

it('What this run was started with outlasts every change, and is not stored', async () => {
  const store = new SettingsStore(db, { requestsPerMinute: 5 })
  const heard: number[] = []
  store.subscribe(['requestsPerMinute'], () => {
    heard.push(store.get().requestsPerMinute)
  })
  await store.change((stored) => ({ ...stored, requestsPerMinute: stored.requestsPerMinute + 1 }))
  expect(store.get().requestsPerMinute).toBe(5)
  expect(heard).toEqual([])
  expect(new SettingsStore(db, {}).get().requestsPerMinute).toBe(61)
})

it('A change that is refused changes nothing', async () => {
  const store = new SettingsStore(db, {})
  const refuse = store.change(() => {
    throw new Error('changed meanwhile')
  })
  await expect(refuse).rejects.toThrow('changed meanwhile')
  await expect(store.change((stored) => ({ ...stored, requestsPerMinute: -1 }))).rejects.toThrow('Too small')
  expect(store.get()).toEqual(DEFAULT_SETTINGS)
})

it('A part that cannot follow keeps no other from following, and the change stands', async () => {
  const store = new SettingsStore(db, {})
  const heard: string[] = []
  store.subscribe(['ledgerUrl'], () => Promise.reject(new Error('the ledger is away')))
  store.subscribe(['ledgerUrl'], () => {
    heard.push('after it')
  })
  const change = store.change((stored) => ({ ...stored, ledgerUrl: 'postgres://host/team' }))
  await expect(change).rejects.toThrow('the ledger is away')
  expect(heard).toEqual(['after it'])
  expect(store.get().ledgerUrl).toBe('postgres://host/team')
})
