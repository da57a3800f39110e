import { useTranslation } from 'react-i18next'
import type { ChargerStatus, ListGap } from '../../../../shared/chargers/charger-status.ts'
import { useShell } from '../../../store/shell-store.ts'
import { goTo } from '../../../store/view-store.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import { Button } from '../../../parts/button.tsx'
import { useChargers } from '../store/chargers-store.ts'

/** Why the data is missing or incomplete, and what to do about it. */
export function ProblemLine() {
  const { t, i18n } = useTranslation('chargers')
  const status = useShell(({ state }) => state?.chargers.status ?? null)
  const failure = useChargers((view) => view.failure)
  if (status === null) return null
  const { problem, nextAtMs, atMs, unusable, gap } = status
  const clock = (ms: number) => new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' }).format(ms)
  const moment = (ms: number) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms)
  const retries = problem !== null && nextAtMs !== null && problem.code !== 'rate_limited'
  return (
    <>
      {problem === null ? null : (
        <p className="chargers-problem" role="alert">
          <span dir="auto">{problemText(problem, nextAtMs === null ? null : clock(nextAtMs), t)}</span>
          {atMs === null ? null : <span>{t('problem.lastData', { time: moment(atMs) })}</span>}
          {retries ? <span>{t('problem.again', { time: clock(nextAtMs) })}</span> : null}
          {problem.retryable ? null : (
            <Button onClick={() => goTo('settings', { section: 'chargers' })}>
              {isToken(problem.code) ? t('problem.setToken') : t('problem.settings')}
            </Button>
          )}
        </p>
      )}
      {failure === null ? null : (
        <p className="chargers-problem" role="alert">
          {t('problem.load', { why: sentenceIn(failure) })}
        </p>
      )}
      {unusable > 0 ? <p className="chargers-problem">{t('unusable', { count: unusable })}</p> : null}
      {gap === null ? null : <p className="chargers-problem">{gapText(gap, t)}</p>}
    </>
  )
}

function gapText({ code, listed, counted }: ListGap, t: ReturnType<typeof useTranslation<'chargers'>>['t']): string {
  if (code === 'short') return t('gap.short', { listed, counted })
  return t(code === 'changing' ? 'gap.changing' : 'gap.tooLong', { listed })
}

type Problem = NonNullable<ChargerStatus['problem']>
const isToken = (code: string) => code === 'key_missing' || code === 'key_refused'

function problemText(
  problem: Problem,
  next: string | null,
  t: ReturnType<typeof useTranslation<'chargers'>>['t'],
): string {
  switch (problem.code) {
    case 'key_missing':
      return t('problem.tokenMissing')
    case 'key_refused':
      return t('problem.tokenRefused')
    case 'rate_limited':
      return next === null ? t('problem.waitOpen') : t('problem.wait', { time: next })
    case 'service_unreachable':
      return t('problem.offline')
    default:
      return errorText(problem)
  }
}
