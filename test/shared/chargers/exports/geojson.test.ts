import fc from 'fast-check'
import type { FeatureCollection, Point } from 'geojson'
import { describe, expect, it } from 'vitest'
import { chargerFile } from '../../../../src/shared/chargers/exports/charger-files.ts'
import { anyCharger, charger, NOW_MS } from '../any-charger.ts'

const written = (chargers: Parameters<typeof chargerFile>[1], sample = false) =>
  JSON.parse(chargerFile('geojson', chargers, { sample, nowMs: NOW_MS })) as FeatureCollection<Point> & {
    name: string
    notice?: string
  }

describe('Chargers as GeoJSON', () => {
  it('has a point for each charger with a place, longitude first, and leaves out the others', () => {
    const collection = written([charger(), charger({ id: 2, location: null })])
    expect(collection.features).toHaveLength(1)
    expect(collection.features[0]).toMatchObject({
      type: 'Feature',
      id: 1,
      geometry: { type: 'Point', coordinates: [11.344, 47.26217] },
      properties: { icao: 'LOWI', aircraft_types: ['Velis Electro'], live_state: 'available', kw: '50' },
    })
    expect(JSON.stringify(collection)).not.toContain('Sample data')
  })

  it('marks sample data in the collection and at each charger', () => {
    const { name, notice, features } = written([charger()], true)
    expect([notice, features[0]?.properties?.notice]).toEqual(Array(2).fill('Sample data, not for navigation'))
    expect(name).toContain('Sample data, not for navigation')
  })

  it('survives being written, whatever the service says', () => {
    fc.assert(
      fc.property(fc.array(anyCharger, { maxLength: 5 }), fc.boolean(), (chargers, sample) => {
        const { features } = written(chargers, sample)
        expect(features.every(({ geometry }) => geometry.coordinates.every(Number.isFinite))).toBe(true)
        expect(features).toHaveLength(chargers.filter(({ location }) => location !== null).length)
      }),
    )
  })
})
