import { useTranslation } from 'react-i18next'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import type { ServiceStatus } from '../../../shared/contract/queue.ts'
import type { Settings } from '../../../shared/settings/settings.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText, exactTimeText, relativeText } from '../../text/figures.ts'

const MINUTE_MS = 60_000

/** The balance, how long it lasts, and what was sent compared with the caps. */
export function BalanceFigure({ service, history }: { service: ServiceStatus; history: CreditHistory | null }) {
  const { t, i18n } = useTranslation('credits')
  const caps = useShell(({ state }) => state?.settings.caps ?? null)
  const { balance } = service
  const figure = (count: number) => countText(count, i18n.language)
  return (
    <section className="credits-balance">
      <div>
        <div className="caption">{t('balance')}</div>
        <div className="credits-large figures">{balance === null ? '–' : figure(balance.credits)}</div>
        <p className="secondary" title={balance === null ? undefined : exactTimeText(balance.atMs, i18n.language)}>
          {balance !== null ? ageText(balance.atMs) : service.hasKey ? t('notAsked') : t('noKey')}
        </p>
        <p>{history === null ? null : paceText()}</p>
      </div>
      {history === null ? null : <Facts history={history} caps={caps} />}
    </section>
  )

  function ageText(atMs: number): string {
    const nowMs = Date.now()
    if (nowMs - atMs < MINUTE_MS) return t('asOfNow')
    return t('asOf', { when: relativeText(atMs, nowMs, i18n.language) })
  }

  function paceText(): string | null {
    if (balance === null || history === null) return null
    if (balance.credits <= 0) return t('empty')
    if (service.hold?.code === 'credits_short') return t('short', { button: t('refresh') })
    if (history.perDay === null) return t('noForecast')
    if (history.perDay === 0) return t('noPace')
    const days = Math.floor(balance.credits / history.perDay)
    return t('lastsDays', { count: days, figure: figure(days) })
  }
}

function Facts({ history, caps }: { history: CreditHistory; caps: Settings['caps'] | null }) {
  const { t, i18n } = useTranslation('credits')
  // In a team, caps count what all computers sent.
  const ownCaps = history.team === null ? caps : null
  const figure = (count: number) => countText(count, i18n.language)
  return (
    <dl className="credits-facts figures">
      <Fact label={t('sentToday')} value={figure(history.sentToday)} cap={ownCaps?.perDay ?? null} />
      <Fact label={t('sentThisMonth')} value={figure(history.sentThisMonth)} cap={ownCaps?.perMonth ?? null} />
      {history.team === null ? null : (
        <>
          <Fact label={t('teamToday')} value={figure(history.team.sentToday)} cap={caps?.perDay ?? null} />
          <Fact label={t('teamThisMonth')} value={figure(history.team.sentThisMonth)} cap={caps?.perMonth ?? null} />
        </>
      )}
      <Fact
        label={t('perDay')}
        value={
          history.perDay === null
            ? t('unknown')
            : t('credits', { count: Math.round(history.perDay), figure: figure(Math.round(history.perDay)) })
        }
        cap={null}
      />
    </dl>
  )
}

function Fact({ label, value, cap }: { label: string; value: string; cap: number | null }) {
  const { t, i18n } = useTranslation('credits')
  return (
    <div>
      <dt className="caption">{label}</dt>
      <dd>
        {value}{' '}
        {cap === null ? null : <span className="secondary">{t('ofCap', { cap: countText(cap, i18n.language) })}</span>}
      </dd>
    </div>
  )
}
