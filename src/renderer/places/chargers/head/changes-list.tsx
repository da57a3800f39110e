import { useTranslation } from 'react-i18next'
import type { ChargerChange } from '../../../../shared/chargers/charger-status.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText } from '../../../text/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { Popover } from '../../../parts/popover.tsx'
import type { MarkerStyle } from '../data/marker.ts'
import { MarkerIcon } from '../marker-icon.tsx'
import { shownMap } from '../map/shown-map.ts'
import { choose } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import './head.css'

/** The limit of lines in the popover. */
const MAX_SHOWN = 100
const REVEAL_PX = 60
const STYLE: Readonly<Record<ChargerChange['kind'], MarkerStyle>> = {
  free: 'free',
  busy: 'busy',
  broken: 'broken',
  new: 'silent',
  gone: 'offline',
}

/** What changed in the last refresh; renders nothing if nothing did. */
export function ChangesList() {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const changes = useShell(({ state }) => state?.chargers.status.changes)
  const atMs = useShell(({ state }) => state?.chargers.status.changesAtMs ?? null)
  const found = useShell(({ state }) => state?.chargers.status.changeCount ?? 0)
  const favourites = useShell(({ state }) => state?.chargers.favourites)
  if (changes === undefined || atMs === null || changes.length === 0) return null
  const count = Math.max(found, changes.length)
  return (
    <Popover
      label={t('changes.title', { when: exactTimeText(atMs, i18n.language) })}
      align="end"
      className="chargers-changes"
      trigger={<Button kind="quiet">{t('changes.button', { count, figure: words.count(count) })}</Button>}
    >
      <p className="secondary">{t('changes.title', { when: exactTimeText(atMs, i18n.language) })}</p>
      <ul>
        {changes.slice(0, MAX_SHOWN).map((change) => (
          <li key={`${change.kind} ${change.id}`}>
            <button
              type="button"
              className="chargers-change"
              onClick={() => inBackground('changes-list.show', () => show(change.id))}
            >
              <MarkerIcon markerStyle={STYLE[change.kind]} />
              <span className="ellipsis" dir="auto">
                {words.name(change)}
              </span>
              <span className="secondary">
                {t(`changes.${change.kind}`)}
                {favourites?.includes(change.id) === true ? ` · ${t('changes.favourite')}` : null}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {count > MAX_SHOWN ? <p className="caption">{t('changes.cut', { figure: words.count(MAX_SHOWN) })}</p> : null}
    </Popover>
  )
}

async function show(id: number): Promise<void> {
  choose({ kind: 'charger', id, fromSite: null })
  const detail = await useChargers.getState().client?.ask('detail', { id })
  if (detail?.row.at != null) shownMap()?.reveal(detail.row.at, REVEAL_PX)
}
