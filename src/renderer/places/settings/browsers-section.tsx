import { useTranslation } from 'react-i18next'
import { straightText } from '../../../shared/text/safe-characters.ts'
import type { BrowserRow } from '../../../shared/contract/browsers.ts'
import { useNow } from '../../parts/use-now.ts'
import { ask } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useFreshAnswer } from '../../store/use-answer.ts'
import { errorText } from '../../store/error-text.ts'
import { exactTimeText, relativeText } from '../../text/figures.ts'
import { Button } from '../../parts/button.tsx'
import { toast } from '../../store/toasts.ts'

const EVERY_MS = 15_000

/** The signed-in browsers. Signing one out takes effect at once; this one then shows its sign-in page. */
export function BrowsersSection() {
  const { t } = useTranslation('settings')
  const { value, error, again } = useFreshAnswer('signIns.list', {}, EVERY_MS)
  const nowMs = useNow(EVERY_MS)
  const end = (row: BrowserRow | null) =>
    inBackground('signIns.end', async () => {
      const result = row === null ? await ask('signIns.endAll', {}) : await ask('signIns.end', { id: row.id })
      // A browser that signs itself out loses the connection before the answer arrives.
      const isGone = row === null || row.current
      if (!result.ok && !isGone) toast(errorText(result.error), { bad: true })
      again()
    })
  const rows = value?.browsers ?? []
  return (
    <div className="settings-rows">
      <p className="field-hint">{t('browsersHint')}</p>
      {error === null ? null : <p role="alert">{errorText(error)}</p>}
      <ul className="settings-rows" aria-label={t('sections.browsers')}>
        {rows.map((row) => (
          <BrowserLine key={row.id} row={row} nowMs={nowMs} onEnd={() => end(row)} />
        ))}
      </ul>
      {rows.length > 1 ? (
        <div className="settings-buttons">
          <Button onClick={() => end(null)}>{t('signOutAll')}</Button>
        </div>
      ) : null}
    </div>
  )
}

function BrowserLine({ row, nowMs, onEnd }: { row: BrowserRow; nowMs: number; onEnd: () => void }) {
  const { t, i18n } = useTranslation('settings')
  const { browser, system, origin, signedInAtMs, seenAtMs, current } = row
  const name = t('browserOn', {
    browser: browser ?? t('browserUnknown'),
    system: system ?? t('systemUnknown'),
  })
  const since = t('browserSince', { when: exactTimeText(signedInAtMs, i18n.language), host: new URL(origin).host })
  const seen = t('browserSeen', { when: relativeText(Math.min(seenAtMs, nowMs), nowMs, i18n.language) })
  return (
    <li className="settings-row">
      <div>
        <div className="settings-label">{current ? t('browserThis', { name }) : straightText(name)}</div>
        <div className="field-hint">
          {since}
          {current ? '' : ` ${seen}`}
        </div>
      </div>
      <div className="settings-control">
        <Button aria-label={t('signOutNamed', { name })} onClick={onEnd}>
          {t('signOut')}
        </Button>
      </div>
    </li>
  )
}
