import { History } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChargerLogEntry } from '../../../../shared/charger-status.ts'
import { LIVE_CLASSES, type LiveClass } from '../../../../shared/chargers/live-state.ts'
import { askOrToast } from '../../../store/bridge.ts'
import { inBackground } from '../../../store/in-background.ts'
import { exactTimeText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { choose } from '../store/chargers-actions.ts'
import { useWords } from '../use-words.ts'
import '../detail/history.css'

const PAGE = 100

/** The changes that refreshes found in the last year, newest first. */
export function ChangeLog() {
  const { t } = useTranslation('chargers')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton kind="plain" label={t('history.log')} onClick={() => setOpen(true)}>
        <History size={14} aria-hidden />
      </IconButton>
      {isOpen ? <LogDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function LogDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const [entries, setEntries] = useState<readonly ChargerLogEntry[] | null>(null)
  const [hasMore, setMore] = useState(false)
  const read = async (told: readonly ChargerLogEntry[]) => {
    const last = told.at(-1)
    const before = last === undefined ? null : { atMs: last.atMs, id: last.id }
    const answer = await askOrToast('chargers.log', { before, id: null, limit: PAGE })
    if (answer === null) return
    setEntries([...told, ...answer.entries])
    setMore(answer.entries.length === PAGE)
  }
  useEffect(() => inBackground('change-log.read', () => read([])), [])
  const kind = (name: string | null) => {
    if (name === null) return t('changes.new')
    const known = LIVE_CLASSES.find((one): one is LiveClass => one === name)
    return known === undefined ? t('changes.gone') : t(`state.${known}`)
  }
  return (
    <Dialog title={t('history.log')} onClose={onClose}>
      {entries?.length === 0 ? <p className="secondary">{t('history.logEmpty')}</p> : null}
      <ul className="chargers-log">
        {entries?.map((entry) => (
          <li key={`${entry.atMs} ${entry.id}`}>
            <button
              type="button"
              className="chargers-clear"
              onClick={() => {
                choose({ kind: 'charger', id: entry.id, fromSite: null })
                onClose()
              }}
            >
              <span className="ellipsis" dir="auto">
                {words.name(entry)}
              </span>
            </button>
            <span className="secondary figures">{exactTimeText(entry.atMs, i18n.language)}</span>
            <span>
              {kind(entry.before)} → {kind(entry.kind)}
            </span>
          </li>
        ))}
      </ul>
      {hasMore ? (
        <Button onClick={() => inBackground('change-log.read', () => read(entries ?? []))}>{t('history.older')}</Button>
      ) : null}
    </Dialog>
  )
}
