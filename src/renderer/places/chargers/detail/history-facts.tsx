import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChargerPast } from '../../../../shared/charger-status.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../store/in-background.ts'
import { decimalText, durationText, exactTimeText, relativeText } from '../../../text/figures.ts'
import { useChargers } from '../store/chargers-store.ts'
import './history.css'

const SHOWN_MS = 30 * 86_400_000

/** What the refreshes of this computer found of the charger over time, and where nothing is known. */
export function HistoryFacts({ id }: { id: number }) {
  const { t, i18n } = useTranslation('chargers')
  const past = usePast(id)
  if (past === null) return null
  const { language } = i18n
  const { firstSeenMs, goneMs, lastChargingMs, lastRefreshMs, shares, spans } = past
  const nowMs = Date.now()
  const isCharging = spans.at(-1)?.state === 'busy-charging' && spans.at(-1)?.toMs === lastRefreshMs
  return (
    <section className="chargers-history" aria-label={t('history.title')}>
      <h3>{t('history.title')}</h3>
      <p>
        {lastChargingMs === null
          ? t('history.neverCharging')
          : isCharging
            ? t('history.charging')
            : t('history.lastCharging', { when: relativeText(lastChargingMs, nowMs, language) })}
      </p>
      {shares.map(({ days, knownMs, brokenMs }) => (
        <p key={days} className="figures">
          {knownMs === 0
            ? t('history.shareUnknown', { days })
            : t('history.share', {
                days,
                percent: decimalText((100 * brokenMs) / knownMs, 1, language),
                known: durationText(knownMs, language),
              })}
        </p>
      ))}
      <Strip spans={spans} nowMs={nowMs} />
      <p className="caption">
        {t('history.firstSeen', { time: exactTimeText(firstSeenMs, language) })}
        {goneMs === null ? null : ` ${t('history.gone', { time: exactTimeText(goneMs, language) })}`}{' '}
        {t('history.gaps')}
      </p>
    </section>
  )
}

/** Thirty days from left to right: a bar for each state, nothing where no refresh looked. */
function Strip({ spans, nowMs }: { spans: ChargerPast['spans']; nowMs: number }) {
  const { t } = useTranslation('chargers')
  const fromMs = nowMs - SHOWN_MS
  const at = (ms: number) => ((ms - fromMs) / SHOWN_MS) * 300
  return (
    <svg
      className="chargers-strip"
      viewBox="0 0 300 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={t('history.strip')}
    >
      {spans.map(({ fromMs: startMs, toMs, kind }) => (
        <rect
          key={startMs}
          className={kind}
          x={at(startMs)}
          width={Math.max(0.4, at(toMs) - at(startMs))}
          height="14"
        />
      ))}
    </svg>
  )
}

/** Asked again with each set of chargers. */
function usePast(id: number): ChargerPast | null {
  const version = useChargers((view) => view.version)
  const [known, setKnown] = useState<{ id: number; past: ChargerPast | null } | null>(null)
  useEffect(() => {
    let isCurrent = true
    inBackground('history-facts.past', () =>
      ask('chargers.past', { id }).then((answer) => {
        if (isCurrent && answer.ok) setKnown({ id, past: answer.value.past ?? null })
      }),
    )
    return () => {
      isCurrent = false
    }
  }, [id, version])
  return known?.id === id ? known.past : null
}
