import { useTranslation } from 'react-i18next'
import { scaleLengths, type ScaleLength } from '../../../../shared/chargers/distance.ts'
import { useShell } from '../../../store/shell-store.ts'
import { useChargers } from '../store/chargers-store.ts'

/** Even the shorter of two steps, two fifths of it, has room for its words. */
const MAX_PX = 150
/** The circumference of the earth at the equator, which is the width of the world in Web Mercator. */
const EQUATOR_KM = 40_075.017

/** The lengths of a kilometre and a nautical mile at the centre of the map, and the map's attribution. */
export function ScaleBar() {
  const { t, i18n } = useTranslation('chargers')
  const { lat } = useChargers((view) => view.centre)
  const zoom = useChargers((view) => view.zoom)
  const streets = useShell(({ state }) => state?.settings.chargers.streetTiles ?? null)
  const kmPerPx = (EQUATOR_KM * Math.cos((lat * Math.PI) / 180)) / (256 * 2 ** zoom)
  const lengths = scaleLengths(MAX_PX * kmPerPx)
  const figure = ({ value, unit }: ScaleLength) => {
    const text = new Intl.NumberFormat(i18n.language).format(value)
    return unit === 'NM' ? t('nm', { nm: text }) : unit === 'km' ? t('km', { km: text }) : t('m', { m: text })
  }
  return (
    <div className="chargers-foot">
      {lengths === null ? null : (
        <div
          className="chargers-scale figures"
          role="img"
          aria-label={t('map.scale', { metric: figure(lengths.metric), nautical: figure(lengths.nautical) })}
        >
          <span style={{ width: lengths.metric.km / kmPerPx }}>{figure(lengths.metric)}</span>
          <span style={{ width: lengths.nautical.km / kmPerPx }}>{figure(lengths.nautical)}</span>
        </div>
      )}
      <span className="chargers-credit ellipsis" dir="auto" title={t('map.natural')}>
        {streets?.enabled === true ? `${streets.attribution} · ` : null}
        {t('map.naturalShort')}
      </span>
    </div>
  )
}
