import { useTranslation } from 'react-i18next'
import type { ChargerPast } from '../../../../shared/chargers/charger-status.ts'
import { NOTHING_KNOWN } from '../../../../shared/chargers/history.ts'
import { useNow } from '../../../parts/use-now.ts'
import { decimalText, durationText, exactTimeText, relativeText } from '../../../text/figures.ts'
import { usePast } from './use-past.ts'
import './history.css'

const NOW_EVERY_MS = 60_000
const SHOWN_MS = 30 * 86_400_000

/** The charger's history as this computer's refreshes recorded it, with its gaps. */
export function HistoryFacts({ id }: { id: number }) {
  const { t, i18n } = useTranslation('chargers')
  const past = usePast(id)
  const nowMs = useNow(NOW_EVERY_MS)
  if (past === null) return null
  const { language } = i18n
  const { firstSeenMs, goneMs, lastChargingMs, lastRefreshMs, shares, spans } = past
  const isCharging = spans.at(-1)?.state === 'busy-charging' && spans.at(-1)?.toMs === lastRefreshMs
  return (
    <section className="chargers-history" aria-label={t('history.title')}>
      <h3>{t('history.title')}</h3>
      {goneMs === null ? null : <p>{t('history.gone', { time: exactTimeText(goneMs, language) })}</p>}
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
        {t('history.firstSeen', { time: exactTimeText(firstSeenMs, language) })} {t('history.gaps')}
      </p>
    </section>
  )
}

/** The legend of the bars' colours; all other states share one. */
const LEGEND = [
  ['free', 'free'],
  ['busy', 'taken'],
  ['broken', 'broken'],
  ['limited', 'other'],
] as const

/** The last thirty days as a timeline: a bar per state, hatched where nothing is known. */
function Strip({ spans, nowMs }: { spans: ChargerPast['spans']; nowMs: number }) {
  const { t, i18n } = useTranslation('chargers')
  const fromMs = nowMs - SHOWN_MS
  const shown = spans.filter(({ kind }) => !NOTHING_KNOWN.includes(kind))
  const at = (ms: number) => ((ms - fromMs) / SHOWN_MS) * 300
  return (
    <>
      <svg
        className="chargers-strip"
        viewBox="0 0 300 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('history.strip')}
      >
        {shown.map(({ fromMs: startMs, toMs, kind }) => (
          <rect
            key={startMs}
            className={kind}
            x={at(startMs)}
            width={Math.max(0.4, at(toMs) - at(startMs))}
            height="14"
          />
        ))}
      </svg>
      <p className="chargers-strip-ends caption" aria-hidden>
        <span>{relativeText(fromMs, nowMs, i18n.language)}</span>
        <span>{relativeText(nowMs, nowMs, i18n.language)}</span>
      </p>
      <p className="chargers-strip-legend caption">
        {LEGEND.map(([kind, words]) => (
          <span key={kind}>
            <i className={kind} aria-hidden />
            {t(`legend.${words}`)}
          </span>
        ))}
      </p>
    </>
  )
}
