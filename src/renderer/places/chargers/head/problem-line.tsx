import i18next, { t } from 'i18next'
import { useShell } from '../../../store/shell-store.ts'
import { goTo } from '../../../store/view-store.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { Button } from '../../../parts/button.tsx'
import { useChargers } from '../store/chargers-store.ts'

const TEXTS = {
  key_missing: 'chargers:problem.tokenMissing',
  key_refused: 'chargers:problem.tokenRefused',
  rate_limited: 'chargers:problem.wait',
  service_unreachable: 'chargers:problem.offline',
} as const
/** What a person settles in the settings. */
const OF_SETTINGS: readonly string[] = ['key_missing', 'key_refused', 'address_wrong', 'address_insecure']
const GAPS = {
  short: 'chargers:gap.short',
  changing: 'chargers:gap.changing',
  too_long: 'chargers:gap.tooLong',
} as const

export function ProblemLine() {
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const failure = useChargers((view) => view.failure)
  if (status === null) return null
  const { problem, nextAtMs, atMs, unusable, gap } = status
  const moment = (ms: number) =>
    new Intl.DateTimeFormat(i18next.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms)
  const known = TEXTS[problem?.code as keyof typeof TEXTS] ?? null
  const isToken = problem?.code === 'key_missing' || problem?.code === 'key_refused'
  return (
    <>
      {problem === null ? null : (
        <p className="chargers-problem row" role="alert">
          <span dir="auto">{known === null ? errorText(problem) : t(known)}</span>
          {atMs === null ? null : <span>{t('chargers:problem.lastData', { time: moment(atMs) })}</span>}
          {nextAtMs === null ? null : <span>{t('chargers:problem.again', { time: moment(nextAtMs) })}</span>}
          {!OF_SETTINGS.includes(problem.code) ? null : (
            <Button onClick={() => goTo('settings', { section: 'chargers' })}>
              {isToken ? t('chargers:problem.setToken') : t('common:openSettings')}
            </Button>
          )}
        </p>
      )}
      {failure === null ? null : (
        <p className="chargers-problem row" role="alert">
          {t('chargers:problem.load', { why: sentenceIn(failure) })}
        </p>
      )}
      {unusable > 0 ? <p className="chargers-problem row">{t('chargers:unusable', { count: unusable })}</p> : null}
      {gap === null ? null : (
        <p className="chargers-problem row">
          {t(GAPS[gap.code], { ...gap })} {t('chargers:gap.kept')}
        </p>
      )}
    </>
  )
}
