import zoneOf from '@photostructure/tz-lookup'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countryOf } from '../../../src/shared/chargers/countries.ts'
import { countryOfZone } from '../../../src/shared/chargers/country-zones.ts'
import { fieldZone, placeDoubt } from '../../../src/shared/chargers/field-zone.ts'
import { filterTest, NO_FILTER } from '../../../src/shared/chargers/filter.ts'
import { prepare } from '../../../src/shared/chargers/prepare.ts'
import { offsetMsAt } from '../../../src/shared/chargers/zone-days.ts'
import { charger, CLOSED, hours, weekOf } from './any-charger.ts'

const at = (icao: string, lat: number, lng: number) => fieldZone({ lat, lng }, countryOf(icao), zoneOf)

describe('The zone of an airfield', () => {
  it.each([
    ['NSTU', -14.326389, -170.696389, 'Pacific/Pago_Pago'],
    ['LFVP', 46.916667, -56.166667, 'America/Miquelon'],
    ['LFVM', 47.05, -56.333333, 'America/Miquelon'],
    ['LICD', 35.5, 12.616667, 'Europe/Rome'],
    ['EFIT', 62.165833, 30.076667, 'Europe/Helsinki'],
    ['EFPH', 62.4647, 30.0353, 'Europe/Helsinki'],
    ['PAGM', 63.776596, -171.713546, 'America/Nome'],
    ['WPDL', -8.549616, 125.525003, 'Asia/Dili'],
    ['FWCB', -10.433333, 34.25, 'Africa/Blantyre'],
    ['FYRU', -17.955779, 19.723513, 'Africa/Windhoek'],
    ['LXGB', 36.153763, -5.349271, 'Europe/Gibraltar'],
  ])('%s is its country’s, though the coordinates are looked up in another country', (icao, lat, lng, zone) => {
    expect(at(icao, lat, lng)).toEqual({ name: zone, from: 'country' })
    expect(zoneOf(lat, lng)).not.toBe(zone)
  })

  it.each([
    ['NSFA', -13.83, -172.008, 'Pacific/Apia'],
    ['ENSB', 78.246, 15.4656, 'Arctic/Longyearbyen'],
    ['GCLP', 27.932398, -15.384626, 'Atlantic/Canary'],
    ['LPPD', 37.743847, -25.696469, 'Atlantic/Azores'],
    ['LPMA', 32.6979, -16.7745, 'Atlantic/Madeira'],
    ['PHNL', 21.325833, -157.921667, 'Pacific/Honolulu'],
    ['PASY', 52.7175, 174.089444, 'America/Adak'],
    ['PGUM', 13.492787, 144.804849, 'Pacific/Guam'],
    ['UMKK', 54.882656, 20.586646, 'Europe/Kaliningrad'],
    ['BGSF', 67.012222, -50.719722, 'America/Nuuk'],
    ['BGTL', 76.533333, -68.7, 'America/Thule'],
    ['EKVG', 62.066667, -7.266667, 'Atlantic/Faroe'],
    ['EKFA', 62.237, -6.813, 'Atlantic/Faroe'],
    ['EFMA', 60.1222, 19.8982, 'Europe/Mariehamn'],
    ['TFFR', 16.27019, -61.526784, 'America/Guadeloupe'],
    ['SOCA', 4.816667, -52.366667, 'America/Cayenne'],
    ['NTAA', -17.559629, -149.609375, 'Pacific/Tahiti'],
    ['FMEE', -20.892, 55.511877, 'Indian/Reunion'],
    ['KELP', 31.798949, -106.396003, 'America/Denver'],
    ['MMTJ', 32.544303, -116.975924, 'America/Tijuana'],
    ['EDNY', 47.672775, 9.523482, 'Europe/Berlin'],
    ['YCSK', -66.2875, 110.76, 'Antarctica/Casey'],
  ])('%s is the one at its coordinates', (icao, lat, lng, zone) => {
    expect(at(icao, lat, lng)).toEqual({ name: zone, from: 'place' })
  })

  it('is the one at the coordinates for a locator, whose country nobody knows', () => {
    expect(at('X00F1', -14.326389, -170.696389)).toEqual({ name: zoneOf(-14.326389, -170.696389), from: 'place' })
  })

  it('is the one at the coordinates when the code belongs to the other end of the world', () => {
    expect(at('KHCR', 51.5, -0.1)).toEqual({ name: 'Europe/London', from: 'place' })
    expect(at('YBEE', 48.1, 11.6)).toEqual({ name: 'Europe/Berlin', from: 'place' })
  })

  it('is of a large country the zone that lies next to the border, not the one whose city is nearest', () => {
    // Montana as seen from Alberta: the nearest place that a zone of the US is named after keeps Central time.
    expect(at('KXYZ', 49.4, -105.5)).toEqual({ name: 'America/Denver', from: 'country' })
    expect(at('KXYZ', 49.3, -97.5)).toEqual({ name: 'America/Chicago', from: 'country' })
  })

  it('is the country’s where none is known at the coordinates, and none where nothing is', () => {
    const fails = () => {
      throw new Error('invalid coordinates')
    }
    expect(fieldZone({ lat: 47.3, lng: 11.3 }, 'AT', fails)).toEqual({ name: 'Europe/Vienna', from: 'country' })
    expect(fieldZone({ lat: 39, lng: -105 }, 'US', fails)).toEqual({ name: 'America/Denver', from: 'country' })
    expect(fieldZone({ lat: 47.3, lng: 11.3 }, null, fails)).toBeNull()
    expect(fieldZone({ lat: 47.3, lng: 11.3 }, 'XK', fails)).toBeNull()
  })

  it('is one that clocks are known for, whatever the coordinates and the country', () => {
    const lat = fc.double({ min: -90, max: 90, noNaN: true })
    const lng = fc.double({ min: -180, max: 180, noNaN: true })
    const letters = fc.stringMatching(/^[A-Z]{4}$/)
    fc.assert(
      fc.property(lat, lng, letters, (lat, lng, icao) => {
        const zone = at(icao, lat, lng)
        expect(zone === null ? null : offsetMsAt(zone.name, 1_790_000_000_000)).not.toBeNull()
      }),
    )
  })

  it('has a country wherever it is looked up, so that no new zone is taken for foreign', () => {
    const unknown = new Set<string>()
    for (let lat = -89.75; lat < 90; lat += 0.5)
      for (let lng = -179.75; lng < 180; lng += 0.5) {
        const name = zoneOf(lat, lng)
        if (!name.startsWith('Etc/') && countryOfZone(name) === null) unknown.add(name)
      }
    expect([...unknown]).toEqual([])
  })

  it('decides whether a charger is open now', () => {
    // Noon on a Saturday in Pago Pago is noon on Sunday in Apia.
    const nowMs = Date.parse('2026-06-06T12:00:00-11:00')
    const pagoPago = { lat: -14.326389, lng: -170.696389, source: 'arp' }
    const week = weekOf(hours('08:00', '18:00'), { sunday: CLOSED })
    const there = (icao: string) =>
      filterTest(
        { ...NO_FILTER, openNow: true },
        nowMs,
      )(prepare(charger({ icao, location: pagoPago, availability: week }), zoneOf, new Set()))
    expect([there('NSTU'), there('NSFA')]).toEqual([true, false])
  })
})

describe('A position that cannot be right', () => {
  it.each([
    ['EDAZ', 0, 0, 'zero'],
    [null, 0, 0, 'zero'],
    ['EDAZ', 13.16, 52.2, 'swapped'],
    ['LOWI', 11.344, 47.262, 'swapped'],
    ['EDAZ', -33.9, 151.2, 'far'],
    ['EDAZ', 52.2, 13.16, null],
    ['LOWI', 47.262, 11.344, null],
    ['PHNL', 21.32, -157.92, null],
    ['NZSP', -89.99, 0, null],
    ['BGTL', 76.53, -68.7, null],
    [null, -33.9, 151.2, null],
    ['X0001', 13.16, 52.2, null],
  ])('of %s at %d, %d is %s', (icao, lat, lng, doubt) => {
    expect(placeDoubt({ lat, lng }, countryOf(icao))).toBe(doubt)
  })
})
