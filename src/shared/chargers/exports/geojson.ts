import type { ChargePoint } from '../charger.ts'
import { chargerMembers, withPlace, SAMPLE_NOTICE, collectionName, type ExportOptions } from './charger-texts.ts'

interface ChargerFeature {
  type: 'Feature'
  id: number
  geometry: { type: 'Point'; coordinates: [lng: number, lat: number] }
  properties: Record<string, unknown>
}

/** `name` and `notice` are foreign members (RFC 7946, section 6.1); `notice` is present for sample data only. */
interface ChargerFeatureCollection {
  type: 'FeatureCollection'
  name: string
  notice?: string
  features: ChargerFeature[]
}

/**
 * The chargers as GeoJSON (RFC 7946), `properties` named as in the charger document. RFC 7946 would allow a null geometry
 * for chargers without coordinates; they are left out instead, as the service does in its own file for maps.
 */
export function chargersGeoJson(chargers: readonly ChargePoint[], options: ExportOptions): ChargerFeatureCollection {
  const notice = options.sample ? { notice: SAMPLE_NOTICE } : {}
  return {
    type: 'FeatureCollection',
    name: collectionName(options),
    ...notice,
    features: withPlace(chargers).map((charger) => {
      const { lat: _lat, lng: _lng, ...members } = Object.fromEntries(chargerMembers(charger, options.nowMs))
      return {
        type: 'Feature',
        id: charger.id,
        geometry: { type: 'Point', coordinates: [charger.location.lng, charger.location.lat] },
        properties: { ...members, availability: charger.availability, ...notice },
      }
    }),
  }
}
