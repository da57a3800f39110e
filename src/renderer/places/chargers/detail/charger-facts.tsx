import { Route } from 'lucide-react'
import { Fragment } from 'react'
import { t } from 'i18next'
import { decimalDegrees, degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { isAhead } from '../../../../shared/chargers/live-state.ts'
import { openingStatus, zoneDays } from '../../../../shared/chargers/opening-hours.ts'
import { isAllDay, timeText, type DayHours } from '../../../../shared/chargers/opening-week.ts'
import { idealChargeMinutes } from '../../../../shared/chargers/route/aircraft.ts'
import { useNow } from '../../../parts/use-now.ts'
import { exactTimeText, listText, relativeText } from '../../../text/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { isHollow, lookOf } from '../data/look.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import { openRoute } from '../route/route-store.ts'
import * as words from '../charger-words.ts'
import { weekdayText, routeWords } from '../charger-words.ts'
import { choose } from '../store/chargers-actions.ts'
import { chargerIndex, useChargers } from '../store/chargers-store.ts'

export function ChargerFacts({ one }: { one: PreparedCharger }) {
  const { site } = one
  const here = chargerIndex.site(site)
  const atSite = here === null ? 1 : here.found.length + here.hidden
  return (
    <>
      <StateFacts one={one} />
      <PlugFacts one={one} />
      <OpeningFacts one={one} />
      <FitFacts one={one} />
      <Actions one={one} />
      <details className="chargers-fold">
        <summary>{t('chargers:detail.more')}</summary>
        <MoreFacts one={one} />
      </details>
      {atSite > 1 ? (
        <Button kind="quiet" onClick={() => choose({ kind: 'site', key: site })}>
          {t('chargers:detail.others', { count: atSite })}
        </Button>
      ) : null}
    </>
  )
}

function StateFacts({ one }: { one: PreparedCharger }) {
  const nowMs = useNow()
  const look = lookOf(one, nowMs)
  const syncedAtMs = one.syncedAtMs === null || isAhead(one.syncedAtMs, nowMs) ? null : one.syncedAtMs
  const exact = syncedAtMs === null ? null : exactTimeText(syncedAtMs)
  const isStale = one.charger.liveState !== null && isHollow(look)
  return (
    <section className="chargers-now stack tight" aria-label={t('chargers:detail.state')}>
      <p className="row">
        <MarkIcon look={look} size={24} />
        <b>{words.state(one)}</b>
        {syncedAtMs === null || exact === null || isStale ? null : (
          <span className="secondary" title={exact}>
            {t('chargers:synced', { when: relativeText(syncedAtMs, nowMs) })}
          </span>
        )}
      </p>
      {isStale ? (
        <p className="callout secondary">
          {exact === null ? t('chargers:detail.neverSynced') : t('chargers:detail.stale', { time: exact })}
        </p>
      ) : null}
    </section>
  )
}

function PlugFacts({ one: { power, charger } }: { one: PreparedCharger }) {
  const plug = [charger.type, listText(charger.connectors)].filter(Boolean).join(' · ')
  return (
    <section className="chargers-now stack tight chargers-plug" aria-label={t('chargers:detail.power')} dir="auto">
      <b className="figures">{words.power(power, charger.kw) ?? t('chargers:detail.powerUnknown')}</b>
      <span>{plug === '' ? t('chargers:detail.plugUnknown') : plug}</span>
      {power !== null && power.outlets > 1 ? (
        <span className="secondary figures">{t('chargers:detail.total', { kw: power.totalKw })}</span>
      ) : null}
    </section>
  )
}

function OpeningFacts({ one: { week, zone } }: { one: PreparedCharger }) {
  const nowMs = useNow()
  const opening = openingStatus(week, zone, nowMs)
  const today = zoneDays(zone ?? 'UTC', nowMs)?.weekday
  const hours = (day: DayHours) => {
    if (isAllDay(day)) return t('chargers:opening.allDay')
    if (day.kind === 'open') return t('chargers:opening.span', { from: timeText(day.from), to: timeText(day.to) })
    return t(day.kind === 'closed' ? 'chargers:opening.closedDay' : 'chargers:opening.unknownDay')
  }
  return (
    <details className="chargers-fold">
      <summary className={`chargers-line-open ${opening.state}`}>{words.opening(opening)}</summary>
      <table className="chargers-week figures" aria-label={t('chargers:opening.title')}>
        <tbody>
          {week.map((day, at) => (
            <tr key={at} className={at === today ? 'today' : ''}>
              <th scope="row">{weekdayText(at, 'long')}</th>
              <td>{hours(day)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">
        {zone === null ? t('chargers:opening.noZone') : t('chargers:opening.assumed', { zone })}
      </p>
    </details>
  )
}

function FitFacts({ one: { fit, power } }: { one: PreparedCharger }) {
  const words = routeWords()
  const { chosen } = useAircraft()
  if (chosen === null || fit === null) return null
  const kw = power === null ? null : Math.min(power.kw, chosen.maxKw ?? Infinity)
  const minutes = fit === 'does_not_fit' ? null : idealChargeMinutes(chosen.usableKwh, kw)
  return (
    <section className="chargers-now stack tight" aria-label={t('chargers:fit.title', { name: chosen.name })}>
      <h3 dir="auto">{t('chargers:fit.title', { name: chosen.name })}</h3>
      <p className={`chargers-fit ${fit}`}>{t(`chargers:fit.${fit}`)}</p>
      {minutes === null ? null : (
        <p className="secondary figures">
          {t('chargers:fit.charge', { kwh: words.kwh(chosen.usableKwh), time: words.minutes(minutes) })}
        </p>
      )}
    </section>
  )
}

function Actions({ one: { place, charger } }: { one: PreparedCharger }) {
  if (place === null) return null
  const here = { name: words.name(charger), place }
  return (
    <div className="row">
      <Button kind="primary" onClick={() => openRoute({ to: here })}>
        <Route size={14} aria-hidden />
        {t('chargers:route.toHere')}
      </Button>
      <Button onClick={() => openRoute({ from: here })}>{t('chargers:route.fromHere')}</Button>
    </div>
  )
}

function MoreFacts({ one }: { one: PreparedCharger }) {
  const { charger } = one
  const facts = {
    position: <Position one={one} />,
    aircraft: listText(charger.aircraftTypes),
    payment: listText(charger.paymentTypes),
    manufacturer: charger.manufacturer,
    software: charger.softwareVersion,
    id: String(charger.id),
  }
  return (
    <dl className="facts">
      {(Object.keys(facts) as (keyof typeof facts)[]).map((name) => (
        <Fragment key={name}>
          <dt>{t(`chargers:detail.${name}`)}</dt>
          <dd dir="auto">{facts[name] || t('chargers:detail.notGiven')}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Position({ one: { place, charger } }: { one: PreparedCharger }) {
  const origin = useChargers((state) => state.origin)
  const nm = distanceNm(place, origin)
  const source = charger.location?.source ?? null
  const texts = { copyMinutes: degreesMinutes(place), copyDecimal: decimalDegrees(place) }
  if (nm === null) return t('chargers:detail.noPosition')
  return (
    <>
      {(['copyMinutes', 'copyDecimal'] as const).map((name) => (
        <span key={name} className="row single apart figures">
          {/* The line may break before the longitude alone. */}
          {texts[name]?.replace(/ (?![EW])/g, '\u00a0')}
          <CopyButton text={texts[name] ?? ''} name={t(`chargers:detail.${name}`)} />
        </span>
      ))}
      {source === null ? null : (
        <p>{t(source === 'arp' ? 'chargers:detail.atReference' : 'chargers:detail.atCharger')}</p>
      )}
      {words.nm(nm)} {t('chargers:fromMiddle')}
    </>
  )
}
