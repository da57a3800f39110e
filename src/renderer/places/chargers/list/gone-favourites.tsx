import { useTranslation } from 'react-i18next'
import { choose } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'

const NONE: readonly number[] = []
const MAX_SHOWN = 50

/** Favourites that the service no longer lists, and that the list and the map therefore lack. */
export function GoneFavourites() {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const gone = useChargers(({ found }) => found?.goneFavourites ?? NONE)
  if (gone.length === 0) return null
  return (
    <details className="chargers-gone">
      <summary>{t('goneFavourites', { count: gone.length, figure: words.count(gone.length) })}</summary>
      <ul>
        {gone.slice(0, MAX_SHOWN).map((id) => (
          <li key={id}>
            <button
              type="button"
              className="chargers-clear"
              onClick={() => choose({ kind: 'charger', id, fromSite: null })}
            >
              {t('route.charger', { id })}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
