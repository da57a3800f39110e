import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargersGpx } from '../../../../src/shared/chargers/exports/gpx.ts'
import { chargersKml } from '../../../../src/shared/chargers/exports/kml.ts'
import { markupText } from '../../../../src/shared/text/safe-characters.ts'
import { xmlDecimal } from '../../../../src/shared/chargers/exports/xml.ts'
import { anyCharger, charger, NOW_MS } from '../any-charger.ts'
import { elementsNamed, parseStrictXml, type XmlElement } from './strict-xml.ts'

const REAL = { sample: false, nowMs: NOW_MS }
const SAMPLE = { sample: true, nowMs: NOW_MS }
const NOTICE = 'Sample data, not for navigation'
const childText = (element: XmlElement, name: string) => element.children.find((child) => child.name === name)?.text

/** What remains of a text in XML. */
/** Without what XML cannot hold, and what nobody sees. */
const kept = (text: string) =>
  text
    .toWellFormed()
    .replace(/(?![\t\r\n])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu, '')

describe('strict-xml, which the tests below rely on', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n'

  it.each([
    '<a>',
    '<a></b>',
    '<a></a><b></b>',
    '<a>&</a>',
    '<a>&nbsp;</a>',
    '<a>]]></a>',
    '<a b=c></a>',
    '<a>&#0;</a>',
    '<a>\u0001</a>',
    '<a>\ud800</a>',
    '<a>\ufffe</a>',
    '<a><!-- --></a>',
    '<a b="1" b="2"></a>',
    '<a>1 < 2</a>',
    'a',
    '<a><![CDATA[x]]></a>',
    '<!DOCTYPE a><a></a>',
    '<a b="<"></a>',
    '',
  ])('refuses %j', (source) => {
    expect(() => parseStrictXml(head + source)).toThrow()
  })

  it('reads what is well-formed', () => {
    expect(parseStrictXml(`${head}<a b="&quot;"><c>1 &lt; 2&#8238;</c></a>\n`)).toMatchObject({
      name: 'a',
      attributes: { b: '"' },
      children: [{ name: 'c', text: '1 < 2\u202e' }],
    })
  })
})

describe('chargersKml', () => {
  it('has a placemark for each charger with a place, longitude first', () => {
    const root = parseStrictXml(chargersKml([charger(), charger({ id: 2, location: null })], REAL))
    expect([root.name, root.attributes]).toEqual(['kml', { xmlns: 'http://www.opengis.net/kml/2.2' }])
    const [placemark, ...others] = elementsNamed(root, 'Placemark')
    expect(others).toEqual([])
    expect(childText(placemark!, 'name')).toBe('LOWI Innsbruck')
    expect(elementsNamed(placemark!, 'coordinates')[0]?.text).toBe('11.344,47.26217')
    // The schema is a sequence: the geometry is the last of these.
    expect(placemark!.children.map(({ name }) => name)).toEqual(['name', 'description', 'ExtendedData', 'Point'])
    const data = elementsNamed(placemark!, 'Data').map((one) => [one.attributes.name, one.children[0]?.text])
    expect(data).toContainEqual(['kw', '50'])
    expect(data).toContainEqual(['available', 'true'])
    expect(data).toContainEqual(['opening_hours', 'Mo-Su 08:00-18:00'])
  })

  it('marks sample data in the document and at each charger, and nothing else', () => {
    const root = parseStrictXml(chargersKml([charger()], SAMPLE))
    expect(elementsNamed(root, 'description').map(({ text }) => text)).toEqual([
      NOTICE,
      `${NOTICE}. DC. 50 kW. CCS2. Available. Payment: Free. Mo-Su 08:00-18:00. Charger 1`,
    ])
    expect(childText(root.children[0]!, 'name')).toContain(NOTICE)
    expect(chargersKml([charger()], REAL)).not.toContain('Sample data')
  })

  it('describes each charger, without markup that a viewer would follow', () => {
    const hostile = charger({ paymentTypes: ['<img src="https://example.org/x">'], liveState: null, available: false })
    const [placemark] = elementsNamed(parseStrictXml(chargersKml([hostile], REAL)), 'Placemark')
    expect(childText(placemark!, 'description')).toBe(
      'DC. 50 kW. CCS2. Not available (not live). Payment: ‹img src="https://example.org/x">. Mo-Su 08:00-18:00. Charger 1',
    )
  })

  it('is well-formed whatever the service says, and loses nothing of it that can be seen', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 4 }), fc.boolean(), (chargers, sample) => {
        const placemarks = elementsNamed(parseStrictXml(chargersKml(chargers, { sample, nowMs: NOW_MS })), 'Placemark')
        const placed = chargers.filter(({ location }) => location !== null)
        expect(placemarks).toHaveLength(placed.length)
        placemarks.forEach((placemark, at) => {
          const maker = elementsNamed(placemark, 'Data').find(({ attributes }) => attributes.name === 'manufacturer')
          const written = placed[at]!.manufacturer ?? ''
          expect(maker?.children[0]?.text ?? '').toBe(kept(written))
          const [lng, lat] = elementsNamed(placemark, 'coordinates')[0]!.text.split(',')
          for (const value of [lng, lat]) expect(value).toMatch(/^-?\d+(\.\d+)?$/)
          expect(Number(lng)).toBeCloseTo(placed[at]!.location!.lng, 6)
          expect(Number(lat)).toBeCloseTo(placed[at]!.location!.lat, 6)
        })
      }),
    )
  })
})

describe('chargersGpx', () => {
  it('has a waypoint for each charger with a place', () => {
    const root = parseStrictXml(chargersGpx([charger(), charger({ id: 2, location: null })], REAL))
    expect([root.name, root.attributes]).toEqual([
      'gpx',
      { version: '1.1', creator: 'Hangar', xmlns: 'http://www.topografix.com/GPX/1/1' },
    ])
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
    const root = parseStrictXml(chargersGpx([charger(), stale, charger({ id: 9, icao: 'LOWG' })], REAL))
    const waypoints = elementsNamed(root, 'wpt')
    const names = waypoints.map((waypoint) => childText(waypoint, 'name'))
    expect(names).toEqual(['LOWI Innsbruck (1)', 'LOWI Innsbruck (7)', 'LOWG Innsbruck'])
    expect(childText(waypoints[1]!, 'desc')).toContain('Available (last known, 2026-02-01T10:00:00+01:00)')
    const placemarks = elementsNamed(parseStrictXml(chargersKml([charger(), stale], REAL)), 'Placemark')
    expect(placemarks.map((one) => childText(one, 'name'))).toEqual(['LOWI Innsbruck (1)', 'LOWI Innsbruck (7)'])
  })

  it('writes longitudes from -180 to below 180, as GPX has them', () => {
    const east = charger({ location: { lat: 0, lng: 180, source: null } })
    const [waypoint] = elementsNamed(parseStrictXml(chargersGpx([east], REAL)), 'wpt')
    expect(waypoint!.attributes).toEqual({ lat: '0', lon: '-180' })
    const almost = charger({ location: { lat: 0, lng: 179.999_999_999, source: null } })
    const [other] = elementsNamed(parseStrictXml(chargersGpx([almost], REAL)), 'wpt')
    expect(Number(other!.attributes.lon)).toBeLessThan(180)
  })

  it('marks sample data in the file and in each waypoint', () => {
    const root = parseStrictXml(chargersGpx([charger()], SAMPLE))
    expect(childText(elementsNamed(root, 'metadata')[0]!, 'desc')).toBe(NOTICE)
    expect(childText(elementsNamed(root, 'wpt')[0]!, 'desc')).toMatch(new RegExp(`^${NOTICE}`))
    expect(chargersGpx([charger()], REAL)).not.toContain('Sample data')
  })

  it('is well-formed whatever the service says', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 4 }), fc.boolean(), (chargers, sample) => {
        const waypoints = elementsNamed(parseStrictXml(chargersGpx(chargers, { sample, nowMs: NOW_MS })), 'wpt')
        expect(waypoints).toHaveLength(chargers.filter(({ location }) => location !== null).length)
        for (const { attributes, children } of waypoints) {
          expect(Number(attributes.lon)).toBeLessThan(180)
          expect(children.map(({ name }) => name).join(' ')).toBe('name desc type')
        }
      }),
    )
  })
})

describe('markupText', () => {
  it('is safe inside and outside of quotes, and turns no text around', () => {
    expect(markupText(`<a b="c">'&]]>`)).toBe('&lt;a b=&quot;c&quot;&gt;&#39;&amp;]]&gt;')
    expect(markupText('a\u202eb\u2028c\r\n')).toBe('a&#8238;b&#8232;c&#13;\n')
    expect(markupText('\u0000\u001b[2J\u009b\ufffe\ud800🛩️')).toBe('[2J\ufffd🛩️')
  })
})

describe('xmlDecimal', () => {
  it('writes no exponents and no needless noughts', () => {
    expect([1e-7, 1e-9, -1e-9, -0, 10, -47.5, 11.344].map(xmlDecimal)).toEqual([
      '0.0000001',
      '0',
      '0',
      '0',
      '10',
      '-47.5',
      '11.344',
    ])
  })
})
