import { t } from 'i18next'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import type { ServiceStatus } from '../../../shared/contract/queue.ts'
import type { Settings } from '../../../shared/settings/settings.ts'
import { useShell } from '../../store/shell-store.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { countText, exactTimeText, relativeText } from '../../text/figures.ts'

const MINUTE_MS = 60_000

export function BalanceFigure({ service, history }: { service: ServiceStatus; history: CreditHistory | null }) {
  const caps = useShell(({ state }) => state?.settings.caps ?? null)
  const { balance } = service
  return (
    <section className="credits-balance">
      <div>
        <div className="caption">{t('credits:balance')}</div>
        <div className="credits-large figures">{balance === null ? '–' : countText(balance.credits)}</div>
        {balance === null ? null : <PicturesLeft credits={balance.credits} />}
        <p className="secondary" title={balance === null ? undefined : exactTimeText(balance.atMs)}>
          {balance !== null ? todayText(balance.atMs) : service.hasKey ? t('credits:notAsked') : t('credits:noKey')}
        </p>
        <p>{paceText()}</p>
      </div>
      {history === null ? null : <CapFacts history={history} caps={caps} />}
    </section>
  )

  function todayText(atMs: number): string {
    const nowMs = Date.now()
    const spent = history?.days.at(-1)?.credits ?? null
    const age = nowMs - atMs < MINUTE_MS ? t('credits:asOfNow') : t('credits:asOf', { when: relativeText(atMs, nowMs) })
    return spent === null ? age : `${t('credits:spentToday', { count: Math.round(spent) })} · ${age}`
  }

  function paceText(): string | null {
    if (balance === null || history === null) return null
    if (balance.credits <= 0) return t('credits:empty')
    if (service.hold?.code === 'credits_short') return t('credits:short', { button: t('credits:refresh') })
    if (history.perDay === null || history.perDay === 0) return null
    const days = Math.floor(balance.credits / history.perDay)
    return t('credits:lastsDays', { count: days })
  }
}

function PicturesLeft({ credits }: { credits: number }) {
  const recipe = useShell(({ state }) => state?.settings.recipe ?? null)
  const { value } = useAnswer(
    'credits.afford',
    recipe === null ? null : { images: 1, languages: Math.max(1, recipe.languages.length), format: recipe.format },
  )
  if (value === null || value.required <= 0) return null
  const count = Math.floor(credits / value.required)
  return <p>{t('credits:picturesLeft', { count })}</p>
}

/** In a team, caps count what all computers sent. */
function CapFacts({ history, caps }: { history: CreditHistory; caps: Settings['caps'] | null }) {
  const { team } = history
  const { sentToday, sentThisMonth } = team ?? history
  const facts = [
    { label: t(team === null ? 'credits:sentToday' : 'credits:teamToday'), sent: sentToday, cap: caps?.perDay ?? null },
    {
      label: t(team === null ? 'credits:sentThisMonth' : 'credits:teamThisMonth'),
      sent: sentThisMonth,
      cap: caps?.perMonth ?? null,
    },
  ]
  return (
    <dl className="credits-facts figures">
      {facts
        .filter(({ cap }) => cap !== null || team !== null)
        .map((fact) => (
          <Fact key={fact.label} {...fact} />
        ))}
    </dl>
  )
}

function Fact({ label, sent, cap }: { label: string; sent: number; cap: number | null }) {
  return (
    <div>
      <dt className="caption">{label}</dt>
      <dd>
        {countText(sent)} {cap === null ? null : <span className="secondary">{t('credits:ofCap', { cap })}</span>}
      </dd>
    </div>
  )
}
