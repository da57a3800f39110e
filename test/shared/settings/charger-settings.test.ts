import { describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS, Settings, SettingsChange } from '../../../src/shared/settings/settings.ts'

const { chargers } = DEFAULT_SETTINGS

describe('settings of the chargers', () => {
  it('are there in a document from before them, with notices off', () => {
    const given = Settings.parse({ paused: true }).chargers
    expect(given).toEqual(chargers)
    expect(given).toMatchObject({ refreshMinutes: 15, notifyFavourites: false })
    expect(given).toMatchObject({ aircraft: [], aircraftId: null, routes: [] })
  })

  it('keep aircraft, and are readable when they are from before that', () => {
    const { aircraft: _aircraft, aircraftId: _id, routes: _routes, ...before } = chargers
    expect(Settings.parse({ chargers: before }).chargers).toEqual(chargers)
    const reserve = { value: 15, unit: 'nm' }
    const one = { id: 'a', name: 'D-EHGR', connectors: ['CCS2'], types: [], rangeNm: 75, reserve }
    const figures = { speedKt: 90, usableKwh: null, maxKw: 20 }
    const takes = (aircraft: object) =>
      SettingsChange.safeParse({ chargers: { ...chargers, aircraft: [aircraft] } }).success
    expect(takes({ ...one, ...figures })).toBe(true)
    const below = { reserve: { value: -1, unit: 'nm' } }
    for (const wrong of [{ rangeNm: 0 }, { rangeNm: 6000 }, below, { name: ' ' }, { speedKt: 0 }, { maxKw: '20' }])
      expect(takes({ ...one, ...figures, ...wrong })).toBe(false)
  })
})
