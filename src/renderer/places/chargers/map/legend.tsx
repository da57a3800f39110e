import { useTranslation } from 'react-i18next'
import { LOOKS } from '../data/look.ts'
import { Badge, MarkIcon, SIZES } from './mark-icon.tsx'

const BADGES = [
  ['figures', '3', 'several'],
  ['star', '★', 'favourite'],
  ['fault', '×', 'fault'],
] as const

/** Explains shapes, sizes and badges. */
export function Legend() {
  const { t } = useTranslation('chargers')
  return (
    // Focusable, so that the keyboard can scroll it in a low window.
    <div className="chargers-legend" tabIndex={0} role="group" aria-label={t('map.legend')}>
      <ul>
        {LOOKS.map((look) => (
          <li key={look}>
            <MarkIcon look={look} size={22} />
            {t(`look.${look}`)}
          </li>
        ))}
      </ul>
      <ul>
        {SIZES.toReversed().map(({ name, px }) => (
          <li key={name}>
            <MarkIcon look="free" size={px} />
            {t(`legend.${name}`)}
          </li>
        ))}
      </ul>
      <ul>
        {BADGES.map(([kind, sign, words]) => (
          <li key={kind}>
            <Badge kind={kind} sign={sign} />
            {t(`legend.${words}`)}
          </li>
        ))}
      </ul>
      <p className="secondary">{t('legend.clusterHint')}</p>
    </div>
  )
}
