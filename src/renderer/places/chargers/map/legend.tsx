import { useTranslation } from 'react-i18next'
import { MARKER_STYLES } from '../data/marker.ts'
import { MarkerIcon } from '../marker-icon.tsx'

const SIZES = [
  ['under11', 7.5],
  ['under50', 9],
  ['under150', 11],
  ['from150', 13.5],
] as const

/** Explains shapes, colours, sizes and badges. */
export function Legend() {
  const { t } = useTranslation('chargers')
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div className="chargers-legend-scroll" tabIndex={0} role="group" aria-label={t('map.legend')}>
      <h2>{t('legend.states')}</h2>
      <ul className="chargers-legend-list">
        {MARKER_STYLES.map((markerStyle) => (
          <li key={markerStyle}>
            <MarkerIcon markerStyle={markerStyle} />
            {t(`markerStyle.${markerStyle}`)}
          </li>
        ))}
      </ul>
      <h2>{t('legend.power')}</h2>
      <ul className="chargers-legend-list">
        {SIZES.map(([tier, radius]) => (
          <li key={tier}>
            <MarkerIcon markerStyle="free" size={radius * 2} />
            {t(`legend.${tier}`)}
          </li>
        ))}
      </ul>
      <h2>{t('legend.more')}</h2>
      <Badges />
      <h2>{t('legend.cluster')}</h2>
      <p className="secondary">{t('legend.clusterHint')}</p>
      <ul className="chargers-legend-shares">
        {(['free', 'taken', 'broken', 'other'] as const).map((share) => (
          <li key={share} className={share}>
            {t(`legend.${share}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Badges() {
  const { t } = useTranslation('chargers')
  return (
    <ul className="chargers-legend-list">
      <li>
        <svg width={16} height={16} viewBox="-8 -8 16 16" aria-hidden style={{ color: 'var(--held)' }}>
          <path d="M0-6 1.6-2.2 5.7-1.9 2.6.8 3.5 4.9 0 2.7-3.5 4.9-2.6.8-5.7-1.9-1.6-2.2Z" fill="currentColor" />
        </svg>
        {t('legend.favourite')}
      </li>
      <li>
        <svg width={16} height={16} viewBox="-8 -8 16 16" aria-hidden style={{ color: 'var(--failed)' }}>
          <path d="M0-5.5 5.5 0 0 5.5-5.5 0Z" fill="currentColor" />
        </svg>
        {t('legend.fault')}
      </li>
      <li>
        <svg width={20} height={16} viewBox="0 0 20 16" aria-hidden>
          <rect x={2} y={1} width={16} height={14} rx={7} fill="var(--text)" />
          <text x={10} y={11.5} fontSize={10} fontWeight={600} textAnchor="middle" fill="var(--panel)">
            3
          </text>
        </svg>
        {t('legend.several')}
      </li>
    </ul>
  )
}
