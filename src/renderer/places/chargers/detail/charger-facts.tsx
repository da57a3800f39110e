import { Route } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChargePoint } from '../../../../shared/chargers/charger.ts'
import { decimalDegrees, degreesMinutes } from '../../../../shared/chargers/coordinates.ts'
import { distanceNm } from '../../../../shared/chargers/distance.ts'
import { isAhead } from '../../../../shared/chargers/live-state.ts'
import { idealChargeMinutes } from '../../../../shared/chargers/route/aircraft.ts'
import { nameOf } from '../../../../shared/chargers/group.ts'
import { listText } from '../../../../shared/text/list-text.ts'
import { useNow } from '../../../parts/use-now.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText, relativeText } from '../../../text/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { CheckField } from '../../../parts/field.tsx'
import { useAircraft } from '../aircraft/use-aircraft.ts'
import type { Member } from '../data/charger-set.ts'
import { isHollow, lookOf } from '../data/look.ts'
import { MarkIcon } from '../map/mark-icon.tsx'
import { openRoute } from '../route/route-store.ts'
import { useRouteWords } from '../route/route-words.ts'
import { choose } from '../store/chargers-actions.ts'
import { chargerSet, fromOf, useChargers } from '../store/chargers-store.ts'
import { useWords } from '../use-words.ts'
import { OpeningFacts } from './opening-facts.tsx'

const NOW_EVERY_MS = 20_000

/** What a pilot asks first, then everything else that the service says about a charger, folded. */
export function ChargerFacts({ one }: { one: Member }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const { site } = one
  const here = chargerSet.site(site)
  const atSite = here === null ? 1 : here.found.length + here.hidden
  return (
    <>
      <StateFacts one={one} />
      <PlugFacts one={one} />
      <OpeningFacts one={one} />
      <FitFacts one={one} />
      <Actions one={one} />
      {one.favourite ? <FavouriteNotices /> : null}
      <details className="chargers-fold">
        <summary>{t('detail.position')}</summary>
        <PositionFacts one={one} />
      </details>
      <details className="chargers-fold">
        <summary>{t('detail.more')}</summary>
        <MoreFacts charger={one.charger} />
      </details>
      {atSite > 1 ? (
        <Button kind="quiet" onClick={() => choose({ kind: 'site', key: site })}>
          {t('detail.others', { count: atSite, figure: words.count(atSite) })}
        </Button>
      ) : null}
    </>
  )
}

function StateFacts({ one }: { one: Member }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const nowMs = useNow(NOW_EVERY_MS)
  const look = lookOf(one, nowMs)
  const syncedAtMs = one.syncedAtMs === null || isAhead(one.syncedAtMs, nowMs) ? null : one.syncedAtMs
  const exact = syncedAtMs === null ? null : exactTimeText(syncedAtMs, words.language)
  const isStale = one.charger.liveState !== null && isHollow(look)
  return (
    <section className="chargers-now" aria-label={t('detail.state')}>
      <p className="chargers-facts-actions">
        <MarkIcon look={look} size={24} />
        <b>{words.state(one)}</b>
        {syncedAtMs === null || exact === null || isStale ? null : (
          <span className="secondary" title={exact}>
            {t('synced', { when: relativeText(syncedAtMs, nowMs, words.language) })}
          </span>
        )}
      </p>
      {isStale ? (
        <p className="chargers-disagree">
          {exact === null ? t('detail.neverSynced') : t('detail.stale', { time: exact })}
        </p>
      ) : null}
      {one.unseen ? <p className="chargers-disagree">{t('notSeen')}</p> : null}
    </section>
  )
}

/** Power and plug in large. */
function PlugFacts({ one: { power, charger } }: { one: Member }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const plug = [charger.type, listText(charger.connectors, i18n.language)].filter(Boolean).join(' · ')
  return (
    <section className="chargers-now chargers-plug" aria-label={t('detail.power')} dir="auto">
      <b className="figures">{words.power(power, charger.kw) ?? t('detail.powerUnknown')}</b>
      <span>{plug === '' ? t('detail.plugUnknown') : plug}</span>
      {power !== null && power.outlets > 1 ? (
        <span className="secondary figures">{t('detail.total', { kw: power.totalKw })}</span>
      ) : null}
    </section>
  )
}

/** Whether the chosen aircraft can charge here, the reason, and the minimum time for a full charge. */
function FitFacts({ one: { fit, power } }: { one: Member }) {
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

function Actions({ one: { place, charger } }: { one: Member }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  if (place === null) return null
  const here = { name: nameOf(charger) || words.name(charger), place }
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

function MoreFacts({ charger }: { charger: ChargePoint }) {
  const { t, i18n } = useTranslation('chargers')
  const facts = {
    aircraft: listText(charger.aircraftTypes, i18n.language),
    payment: listText(charger.paymentTypes, i18n.language),
    manufacturer: charger.manufacturer,
    software: charger.softwareVersion,
    id: String(charger.id),
  }
  return (
    <dl className="chargers-facts">
      {(Object.keys(facts) as (keyof typeof facts)[]).map((name) => (
        <Fragment key={name}>
          <dt>{t(`detail.${name}`)}</dt>
          <dd dir="auto">{facts[name] || t('detail.notGiven')}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** The position, and what it refers to. */
function PositionFacts({ one: { place, charger } }: { one: Member }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const from = useChargers(fromOf)
  const source = charger.location?.source ?? null
  const nm = distanceNm(place, from)
  const texts = { copyMinutes: degreesMinutes(place), copyDecimal: decimalDegrees(place) }
  if (nm === null) return <p className="secondary">{t('detail.noPosition')}</p>
  return (
    <>
      {(['copyMinutes', 'copyDecimal'] as const).map((name) => (
        <p key={name} className="chargers-row figures">
          {texts[name]}
          <CopyButton text={texts[name] ?? ''} name={t(`detail.${name}`)} />
        </p>
      ))}
      {source === 'charge_point' || source === 'arp' ? (
        <p className="secondary">{t(source === 'arp' ? 'detail.atReference' : 'detail.atCharger')}</p>
      ) : null}
      <p className="secondary figures">
        {words.nm(nm)} {from.name === undefined ? t('fromMiddle') : t('fromPoint', { name: from.name })}
      </p>
    </>
  )
}
