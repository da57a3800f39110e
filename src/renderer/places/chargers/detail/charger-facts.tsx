import { Route } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { idealChargeMinutes } from '../../../../shared/chargers/route/aircraft.ts'
import { nameOf } from '../../../../shared/chargers/route/read-place.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { useNow } from '../../../parts/use-now.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText, relativeText } from '../../../text/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import { isHollow } from '../data/look.ts'
import type { ChargerDetail, ChargerRow } from '../data/row.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import { openRoute } from '../route/route-store.ts'
import { useRouteWords } from '../route/route-words.ts'
import { choose } from '../store/chargers-actions.ts'
import { useWords } from '../use-words.ts'
import { OpeningFacts } from './opening-facts.tsx'
import { PositionFacts } from './position-facts.tsx'

const NOW_EVERY_MS = 20_000

/** What a pilot asks first, then everything else that the service says about a charger, folded. */
export function ChargerFacts({ detail }: { detail: ChargerDetail }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const routeWords = useRouteWords()
  const { row, charger, prepared, atSite } = detail
  return (
    <>
      <StateFacts detail={detail} />
      <PlugFacts row={row} />
      <OpeningFacts detail={detail} />
      {row.arrival === null ? null : <p className="secondary">{routeWords.arrival(row.arrival)}</p>}
      <FitFacts row={row} />
      <Actions detail={detail} />
      {row.favourite ? <FavouriteNotices /> : null}
      <Fold title={t('detail.position')}>
        <PositionFacts detail={detail} />
      </Fold>
      <Fold title={t('detail.more')}>
        <dl className="chargers-facts">
          <Fact name={t('detail.aircraft')}>{listText(charger.aircraftTypes, i18n.language)}</Fact>
          <Fact name={t('detail.payment')}>{listText(charger.paymentTypes, i18n.language)}</Fact>
          <Fact name={t('detail.powerStored')}>{row.kw}</Fact>
          <Fact name={t('detail.liveState')}>{row.liveState === null ? t('look.notLive') : words.state(row)}</Fact>
          <Fact name={t('detail.available')}>
            {charger.available === null ? null : charger.available ? t('detail.yes') : t('detail.no')}
          </Fact>
          <Fact name={t('detail.manufacturer')}>{charger.manufacturer}</Fact>
          <Fact name={t('detail.software')}>{charger.softwareVersion}</Fact>
          <Fact name={t('detail.country')}>{prepared.country === null ? null : words.country(prepared.country)}</Fact>
          <Fact name={t('detail.id')}>{String(charger.id)}</Fact>
        </dl>
      </Fold>
      {atSite > 1 ? (
        <Button kind="quiet" onClick={() => choose({ kind: 'site', key: row.site })}>
          {t('detail.others', { count: atSite, figure: words.count(atSite) })}
        </Button>
      ) : null}
    </>
  )
}

function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="chargers-fold">
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  )
}

function StateFacts({ detail: { row, charger, disagreement } }: { detail: ChargerDetail }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const nowMs = useNow(NOW_EVERY_MS)
  const { liveState, syncedAtMs, look } = row
  const isStale = liveState !== null && isHollow(look)
  const isKnown = liveState === null || Object.hasOwn(t('live', { returnObjects: true }), liveState)
  const staleText = () => {
    if (syncedAtMs !== null) return t('detail.stale', { time: exactTimeText(syncedAtMs, words.language) })
    const given = charger.liveStateSyncedAt
    return given === null ? t('detail.neverSynced') : t('detail.syncUnusable', { text: straightText(given) })
  }
  return (
    <section className="chargers-now" aria-label={t('detail.state')}>
      <p className="chargers-now-state">
        <MarkIcon look={look} size={24} />
        <b>{words.state(row)}</b>
        {syncedAtMs === null || isStale ? null : (
          <span className="secondary" title={exactTimeText(syncedAtMs, words.language)}>
            {t('synced', { when: relativeText(syncedAtMs, nowMs, words.language) })}
          </span>
        )}
      </p>
      {isStale ? <p className="chargers-disagree">{staleText()}</p> : null}
      {isKnown ? null : (
        <p className="secondary" dir="auto">
          {t('detail.rawState', { state: straightText(liveState) })}
        </p>
      )}
      {disagreement === null ? null : <p className="chargers-disagree">{t(`detail.${disagreement}`)}</p>}
      {row.unseen ? <p className="chargers-disagree">{t('notSeen')}</p> : null}
    </section>
  )
}

/** Power and plug in large. */
function PlugFacts({ row: { power, kw, type, connectors } }: { row: ChargerRow }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const plug = [type, listText(connectors, i18n.language)].filter(Boolean).join(' · ')
  return (
    <section className="chargers-plug" aria-label={t('detail.power')} dir="auto">
      <b className="figures">{words.power(power, kw) ?? t('detail.powerUnknown')}</b>
      <span>{plug === '' ? t('detail.plugUnknown') : plug}</span>
      {power !== null && power.outlets > 1 ? (
        <span className="secondary figures">{t('detail.total', { kw: power.totalKw })}</span>
      ) : null}
    </section>
  )
}

/** Whether the chosen aircraft can charge here, the reason, and the minimum time for a full charge. */
function FitFacts({ row: { fit, power } }: { row: ChargerRow }) {
  const { t } = useTranslation('chargers')
  const words = useRouteWords()
  const { chosen } = useAircraft()
  if (chosen === null || fit === null) return null
  const kw = power === null ? null : Math.min(power.kw, chosen.maxKw ?? Infinity)
  const minutes = fit.fit === 'does_not_fit' ? null : idealChargeMinutes(chosen.usableKwh, kw)
  return (
    <section className="chargers-now" aria-label={t('fit.title', { name: chosen.name })}>
      <h3 dir="auto">{t('fit.title', { name: chosen.name })}</h3>
      <p className={`chargers-fit ${fit.fit}`}>{t(`fit.${fit.fit}`)}</p>
      {fit.fit === 'fits' || fit.reason === null ? null : (
        <p className="secondary">
          {fit.reason === 'aircraft' ? t('fit.why.not_known.aircraft') : t(`fit.why.${fit.fit}.${fit.reason}`)}
        </p>
      )}
      {minutes === null ? null : (
        <p className="secondary figures">
          {t('fit.charge', { kwh: words.kwh(chosen.usableKwh), time: words.minutes(minutes) })}
        </p>
      )}
    </section>
  )
}

function Actions({ detail: { row, charger } }: { detail: ChargerDetail }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const { at } = row
  if (at === null) return null
  const here = { name: nameOf(charger) || words.name(charger), place: at }
  return (
    <div className="chargers-facts-actions">
      <Button kind="primary" onClick={() => openRoute({ to: here })}>
        <Route size={14} aria-hidden />
        {t('route.toHere')}
      </Button>
      <Button onClick={() => openRoute({ from: here })}>{t('route.fromHere')}</Button>
    </div>
  )
}

/** Applies to all favourites; shown with one of them. */
function FavouriteNotices() {
  const { t } = useTranslation('chargers')
  const isOn = useShell(({ state }) => state?.settings.chargers.notifyFavourites ?? false)
  return (
    <CheckField
      label={t('detail.notifyFavourites')}
      checked={isOn}
      onChange={(notifyFavourites) =>
        inBackground('charger-facts.notifyFavourites', () => changeChargers({ notifyFavourites }))
      }
    />
  )
}

/** A row of the facts; a missing value is shown as such. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation('chargers')
  const isMissing = children === null || children === undefined || children === ''
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto" className={isMissing ? 'secondary' : ''}>
        {isMissing ? t('detail.notGiven') : children}
      </dd>
    </div>
  )
}
