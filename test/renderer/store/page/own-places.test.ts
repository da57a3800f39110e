import { beforeEach, describe, expect, it } from 'vitest'
import type { OwnPlace } from '../../../../src/shared/chargers/route/own-places.ts'
import type { PageRequest } from '../../../../src/shared/contract/calls.ts'
import type { UiBridge } from '../../../../src/shared/contract/page-bridge.ts'
import type { UiState } from '../../../../src/shared/contract/stream.ts'
import { DEFAULT_SETTINGS } from '../../../../src/shared/settings/settings.ts'
import { setBridge } from '../../../../src/renderer/store/bridge.ts'
import { keepPlaces, removePlaces } from '../../../../src/renderer/store/own-places.ts'
import { useShell } from '../../../../src/renderer/store/shell-store.ts'
import { useToasts } from '../../../../src/renderer/store/toasts.ts'

const place = (name: string): OwnPlace => ({ name, lat: 52, lng: 13 })
let stored: readonly OwnPlace[]
let isFull: boolean

beforeEach(() => {
  stored = ['Home', 'Club', 'Farm'].map(place)
  isFull = false
  useToasts.setState({ toasts: [] })
  const settings = { ...DEFAULT_SETTINGS, chargers: { ...DEFAULT_SETTINGS.chargers, places: [...stored] } }
  useShell.setState({ state: { settings } as unknown as UiState })
  const set = async ({ chargers }: PageRequest<'settings.set'>) => {
    if (isFull) return { ok: false, error: { code: 'internal', sentence: { raw: 'disk full' } } }
    stored = chargers?.places ?? stored
    return { ok: true, value: { ...settings, chargers: { ...settings.chargers, ...chargers } } }
  }
  setBridge({ calls: { 'settings.set': set } } as unknown as UiBridge)
})

const names = () => stored.map(({ name }) => name)

describe('Own places', () => {
  it('that could not be stored are told so, and why', async () => {
    isFull = true
    expect(await keepPlaces([place('Hill')])).toBe(false)
    expect(await removePlaces([place('Home')])).toBe(false)
    expect(useToasts.getState().toasts).toMatchObject([{ bad: true }])
    isFull = false
    expect(await keepPlaces([place('Hill')])).toBe(true)
    expect(names()).toEqual(['Home', 'Club', 'Farm', 'Hill'])
  })

  it('are added to what was stored a moment before', async () => {
    await Promise.all([removePlaces([place('Home')]), keepPlaces([place('Hill')]), keepPlaces([place('Lake')])])
    expect(names()).toEqual(['Club', 'Farm', 'Hill', 'Lake'])
  })
})
