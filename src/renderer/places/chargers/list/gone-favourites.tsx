import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exactTimeText } from '../../../text/figures.ts'
import { usePast } from '../detail/use-past.ts'
import '../detail/history.css'
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
  const [isOpen, setOpen] = useState(false)
  if (gone.length === 0) return null
  return (
    <details className="chargers-gone" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('goneFavourites', { count: gone.length, figure: words.count(gone.length) })}</summary>
      {isOpen ? (
        <ul>
          {gone.slice(0, MAX_SHOWN).map((id) => (
            <GoneFavourite key={id} id={id} />
          ))}
        </ul>
      ) : null}
    </details>
  )
}

function GoneFavourite({ id }: { id: number }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const past = usePast(id)
  return (
    <li>
      <button type="button" className="chargers-clear" onClick={() => choose({ kind: 'charger', id, fromSite: null })}>
        <span className="ellipsis" dir="auto">
          {past === null ? t('route.charger', { id }) : words.name(past)}
        </span>
      </button>
      {past === null || past.goneMs === null ? null : (
        <span className="caption">{t('history.gone', { time: exactTimeText(past.goneMs, i18n.language) })}</span>
      )}
    </li>
  )
}
