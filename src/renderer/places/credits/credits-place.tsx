import { RefreshCw } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from 'i18next'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { inBackground } from '../../bridge/in-background.ts'
import { askOrToast } from '../../store/bridge.ts'
import { useShell } from '../../store/shell-store.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { CREDIT_DAYS, useView } from '../../store/view-store.ts'
import { errorText } from '../../store/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Segmented } from '../../parts/field.tsx'
import { BalanceFigure } from './balance-figure.tsx'
import { CreditCharts } from './credit-charts.tsx'
import { SpendPlanner } from './spend-planner.tsx'
import './credits.css'

export default function CreditsPlace() {
  const service = useShell(({ state }) => state?.service ?? null)
  const days = useView((view) => view.days)
  const { value, error, again } = useAnswer('credits.history', { days }, 0, service?.balance?.credits ?? null)
  // The last one that could be read.
  const [history, setHistory] = useState(value)
  if (value !== null && value !== history) setHistory(value)
  const [asking, setAsking] = useState(false)
  const askNow = async () => {
    setAsking(true)
    await askOrToast('credits.balance', {})
    setAsking(false)
    again()
  }
  useFirstQuestion(service?.practice === true && service.balance === null, askNow)
  return (
    <section className="place">
      <PlaceHeader title={t('common:places.credits')}>
        <Button onClick={askNow} disabled={asking || service?.hasKey !== true}>
          <RefreshCw size={14} aria-hidden />
          {t('credits:refresh')}
        </Button>
      </PlaceHeader>
      <div className="place-scroll credits">
        {service === null ? null : (
          <>
            <BalanceFigure service={service} history={history} />
            {error === null ? null : (
              <p className="field-error" role="alert">
                {errorText(error)} <Button onClick={again}>{t('common:retry')}</Button>
              </p>
            )}
            {history === null || history.perDay === null ? null : (
              <section className="credits-part stack">
                <div className="row apart">
                  <h2>{t('credits:history')}</h2>
                  <Segmented
                    label={t('credits:range')}
                    value={String(days)}
                    onChange={(value) => useView.setState({ days: CREDIT_DAYS.find((one) => String(one) === value)! })}
                    choices={CREDIT_DAYS.map((count) => ({
                      value: String(count),
                      label: t('credits:days', { count }),
                    }))}
                  />
                </div>
                <CreditCharts history={history} />
              </section>
            )}
            <SpendPlanner />
          </>
        )}
      </div>
    </section>
  )
}

/** The practice service, which starts with its first request, is asked for the balance when it is shown. */
function useFirstQuestion(isOpen: boolean, ask: () => Promise<void>): void {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (isOpen) inBackground(askNow)
  }, [isOpen])
}
