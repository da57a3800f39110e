import { RefreshCw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { PlaceHeader } from '../../parts/place-header.tsx'
import { ask, askOrToast } from '../../store/bridge.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { useShell } from '../../store/shell-store.ts'
import { CREDIT_DAYS, goTo, useView } from '../../store/view-store.ts'
import { errorText } from '../../store/error-text.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Segmented } from '../../parts/field.tsx'
import { PRACTICE_START_MS, useLate } from '../../parts/use-late.ts'
import { BalanceFigure } from './balance-figure.tsx'
import { CreditCharts } from './credit-charts.tsx'
import { SpendPlanner } from './spend-planner.tsx'
import './credits.css'

export default function CreditsPlace() {
  const { t } = useTranslation(['credits', 'common'])
  const service = useShell(({ state }) => state?.service ?? null)
  const days = useView((view) => view.days)
  const { history, problem, read } = useHistory(days)
  const [asking, setAsking] = useState(false)
  const askNow = async () => {
    setAsking(true)
    await askOrToast('credits.balance', {})
    setAsking(false)
    await read()
  }
  return (
    <section className="place">
      <PlaceHeader title={t('common:places.credits')}>
        <Button
          onClick={() => inBackground('credits-place.askNow', askNow)}
          disabled={asking || service?.hasKey !== true}
        >
          <RefreshCw size={14} aria-hidden />
          {t('refresh')}
        </Button>
      </PlaceHeader>
      <div className="place-scroll credits">
        {service === null ? (
          <NoService />
        ) : (
          <>
            <BalanceFigure service={service} history={history} />
            {problem === null ? null : (
              <p className="field-error" role="alert">
                {problem} <Button onClick={() => inBackground('credits-place.read', read)}>{t('common:retry')}</Button>
              </p>
            )}
            {history === null || history.perDay === null ? null : (
              <section className="credits-part">
                <div className="credits-part-head">
                  <h2>{t('history')}</h2>
                  <Segmented
                    label={t('range')}
                    value={String(days)}
                    onChange={(value) => useView.setState({ days: CREDIT_DAYS.find((one) => String(one) === value)! })}
                    choices={CREDIT_DAYS.map((count) => ({ value: String(count), label: t('days', { count }) }))}
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

/** Fetched again when the range or the balance changes. */
function useHistory(days: number) {
  const balance = useShell(({ state }) => state?.service?.balance?.credits ?? null)
  const [history, setHistory] = useState<CreditHistory | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useCallback(async () => {
    const result = await ask('credits.history', { days })
    setProblem(result.ok ? null : errorText(result.error))
    if (result.ok) setHistory(result.value)
  }, [days])
  useEffect(() => {
    inBackground('credits-place.read', read)
  }, [read, balance])
  return { history, problem, read }
}

/** Without a configured address, an image service is available only while the practice service runs. */
function NoService() {
  const { t } = useTranslation('credits')
  if (!useLate(PRACTICE_START_MS)) return null
  return (
    <Empty text={t('noService')}>
      <Button kind="primary" onClick={() => goTo('settings', { section: 'services' })}>
        {t('openSettings')}
      </Button>
    </Empty>
  )
}
