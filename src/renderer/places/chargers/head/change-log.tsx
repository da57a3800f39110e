import { History } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChargerLogEntry, LogPosition } from '../../../../shared/chargers/charger-status.ts'
import { LOG_PARTS, type LogPart } from '../../../../shared/chargers/history.ts'
import { LIVE_CLASSES, type LiveClass } from '../../../../shared/chargers/live-state.ts'
import type { AppErrorShape } from '../../../../shared/sentences/errors.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { errorText } from '../../../store/error-text.ts'
import { exactTimeText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { SelectField } from '../../../parts/field.tsx'
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
  const { t } = useTranslation('chargers')
  const [part, setPart] = useState<LogPart>('changes')
  return (
    <Dialog title={t('history.log')} onClose={onClose}>
      <SelectField
        label={t('history.show')}
        value={part}
        choices={LOG_PARTS.map((value) => ({ value, label: t(`history.part.${value}`) }))}
        onChange={setPart}
      />
      <LogList key={part} part={part} onClose={onClose} />
    </Dialog>
  )
}

function LogList({ part, onClose }: { part: LogPart; onClose: () => void }) {
  const { t, i18n } = useTranslation(['chargers', 'common'])
  const words = useWords()
  const { entries, isAtEnd, error, isReading, readMore } = useLog(part)
  const kind = (name: string | null) => {
    if (name === null) return t('changes.new')
    const known = LIVE_CLASSES.find((one): one is LiveClass => one === name)
    return known === undefined ? t('changes.gone') : t(`state.${known}`)
  }
  const noneText = () => {
    if (isReading) return t('history.reading')
    if (error !== null) return null
    return t(part === 'changes' || part === 'all' ? 'history.logEmpty' : 'history.partEmpty')
  }
  return (
    <>
      {entries.length > 0 ? null : (
        <p className="secondary chargers-log-none" role="status">
          {noneText()}
        </p>
      )}
      <ul className="chargers-log">
        {entries.map((entry) => (
          <li key={`${entry.atMs} ${entry.id}`}>
            <button
              type="button"
              className="chargers-clear"
              onClick={() => {
                choose({ kind: 'charger', id: entry.id, fromSite: null })
                onClose()
              }}
            >
              <span className="ellipsis" dir="auto" title={words.name(entry)}>
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
      {error === null ? null : (
        <p className="chargers-disagree" role="alert">
          {t('history.logFailed', { why: errorText(error) })}
        </p>
      )}
      {isAtEnd || (isReading && entries.length === 0) ? null : (
        <Button disabled={isReading} onClick={readMore}>
          {t(error === null ? 'history.older' : 'common:retry')}
        </Button>
      )}
    </>
  )
}

interface Log {
  entries: readonly ChargerLogEntry[]
  /** Where to read on; null for the newest. */
  next: LogPosition | null
  isAtEnd: boolean
  isReading: boolean
  error: AppErrorShape | null
}

/** Reads a page at once, and another whenever `readMore` is called. */
function useLog(part: LogPart): Log & { readMore: () => void } {
  const [log, setLog] = useState<Log>({ entries: [], next: null, isAtEnd: false, isReading: false, error: null })
  const isShown = useRef(false)
  const read = async () => {
    let now: Log = { ...log, isReading: true, error: null }
    const wanted = now.entries.length + PAGE
    // Where few changes are of this part, several answers make one page.
    while (isShown.current && now.isReading) {
      setLog(now)
      const answer = await ask('chargers.log', { before: now.next, part, limit: PAGE })
      if (!answer.ok) now = { ...now, isReading: false, error: answer.error }
      else {
        const { next } = answer.value
        const entries = [...now.entries, ...answer.value.entries]
        now = { ...now, entries, next, isAtEnd: next === null, isReading: next !== null && entries.length < wanted }
      }
    }
    setLog(now)
  }
  const readMore = () => inBackground('change-log.read', read)
  const readFirst = useEffectEvent(readMore)
  useEffect(() => {
    isShown.current = true
    readFirst()
    return () => {
      isShown.current = false
    }
    // Once: another part is another list.
  }, [])
  return { ...log, readMore }
}
