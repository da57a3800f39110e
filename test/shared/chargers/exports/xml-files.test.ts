import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargerFile } from '../../../../src/shared/chargers/exports/charger-files.ts'
import { markupText } from '../../../../src/shared/text/safe-characters.ts'
import { anyCharger, charger, NOW_MS } from '../any-charger.ts'
import { elementsNamed, parseStrictXml, type XmlElement } from './strict-xml.ts'

const REAL = { sample: false, nowMs: NOW_MS }
const SAMPLE = { sample: true, nowMs: NOW_MS }
const NOTICE = 'Sample data, not for navigation'
const childText = (element: XmlElement, name: string) => element.children.find((child) => child.name === name)?.text

describe('Chargers as GPX', () => {
  it('has a waypoint for each charger with a place', () => {
    const root = parseStrictXml(chargerFile('gpx', [charger(), charger({ id: 2, location: null })], REAL))
    const attributes = { version: '1.1', creator: 'Hangar', xmlns: 'http://www.topografix.com/GPX/1/1' }
    expect(root).toMatchObject({ name: 'gpx', attributes })
    const [waypoint, ...others] = elementsNamed(root, 'wpt')
    expect(others).toEqual([])
    expect(waypoint!.attributes).toEqual({ lat: '47.26217', lon: '11.344' })
    expect(waypoint!.children.map(({ name, text }) => [name, text])).toEqual([
      ['name', 'LOWI Innsbruck'],
      ['desc', 'DC. 50 kW. CCS2. Available. Payment: Free. Mo-Su 08:00-18:00. Charger 1'],
      ['type', 'Charger'],
    ])
  })

  it('tells chargers of one airfield apart, and says how old a state is', () => {
    const stale = charger({ id: 7, liveStateSyncedAt: '2026-02-01T10:00:00+01:00' })
    const root = parseStrictXml(chargerFile('gpx', [charger(), stale, charger({ id: 9, icao: 'LOWG' })], REAL))
    const waypoints = elementsNamed(root, 'wpt')
    const names = waypoints.map((waypoint) => childText(waypoint, 'name'))
    expect(names).toEqual(['LOWI Innsbruck (1)', 'LOWI Innsbruck (7)', 'LOWG Innsbruck'])
    expect(childText(waypoints[1]!, 'desc')).toContain('Available (last known, 2026-02-01T10:00:00+01:00)')
  })

  it('marks sample data in the file and in each waypoint', () => {
    const root = parseStrictXml(chargerFile('gpx', [charger()], SAMPLE))
    expect(childText(elementsNamed(root, 'metadata')[0]!, 'desc')).toBe(NOTICE)
    expect(childText(elementsNamed(root, 'wpt')[0]!, 'desc')).toMatch(new RegExp(`^${NOTICE}`))
    expect(chargerFile('gpx', [charger()], REAL)).not.toContain('Sample data')
  })

  it('is well-formed whatever the service says', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 4 }), fc.boolean(), (chargers, sample) => {
        const waypoints = elementsNamed(parseStrictXml(chargerFile('gpx', chargers, { sample, nowMs: NOW_MS })), 'wpt')
        expect(waypoints).toHaveLength(chargers.filter(({ location }) => location !== null).length)
        for (const { attributes, children } of waypoints) {
          expect(Number(attributes.lon)).toBeLessThan(180)
          expect(children.map(({ name }) => name).join(' ')).toBe('name desc type')
        }
      }),
    )
  })
})

it('markupText is safe inside and outside of quotes, and turns no text around', () => {
  expect(markupText(`<a b="c">'&]]>`)).toBe('&lt;a b=&quot;c&quot;&gt;&#39;&amp;]]&gt;')
  expect(markupText('a\u202eb\u2028c\r\n')).toBe('a&#8238;b&#8232;c&#13;\n')
  expect(markupText('\u0000\u001b[2J\u009b\ufffe\ud800🛩️')).toBe('[2J\ufffd🛩️')
})
