import { MapPin, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { listText } from '../../../../shared/text/list-text.ts'
import type { Power } from '../../../../shared/chargers/power.ts'
import { straightText } from '../../../../shared/text/safe-characters.ts'
import { useNow } from '../../../parts/use-now.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useShell } from '../../../store/shell-store.ts'
import { exactTimeText, relativeText } from '../../../text/figures.ts'
import { Button, IconButton } from '../../../parts/button.tsx'
import { CheckField } from '../../../parts/field.tsx'
import type { ChargerDetail, ChargerRow } from '../data/protocol.ts'
import { MarkerIcon } from '../marker-icon.tsx'
import { shownMap } from '../map/shown-map.ts'
import { choose, markFavourite } from '../store/chargers-actions.ts'
import { useWords } from '../use-words.ts'
import { ArrivalFacts } from './arrival-facts.tsx'
import { FitFacts } from './fit-facts.tsx'
import { OpeningFacts } from './opening-facts.tsx'
import { PositionFacts } from './position-facts.tsx'

const NOW_EVERY_MS = 20_000

/** Marks the charger as a favourite, or shows it on the map. */
export function ChargerActions({ row }: { row: ChargerRow }) {
  const { t } = useTranslation('chargers')
  const { id, at, favourite } = row
  return (
    <>
      {at === null ? null : (
        <IconButton label={t('detail.showOnMap')} onClick={() => shownMap()?.showNear(at)}>
          <MapPin size={16} aria-hidden />
        </IconButton>
      )}
      <IconButton
        label={favourite ? t('dropFavourite') : t('markFavourite')}
        aria-pressed={favourite}
        onClick={() => inBackground('charger-facts.markFavourite', () => markFavourite(id, !favourite))}
      >
        <Star size={16} fill={favourite ? 'currentColor' : 'none'} aria-hidden />
      </IconButton>
    </>
  )
}

/** Everything the service says about one charger. */
export function ChargerFacts({ detail }: { detail: ChargerDetail }) {
  const { t, i18n } = useTranslation('chargers')
  const words = useWords()
  const { row, charger, country, atSite } = detail
  return (
    <>
      <StateFacts detail={detail} />
      {row.favourite ? <FavouriteNotices /> : null}
      <FitFacts row={row} />
      <OpeningFacts detail={detail} />
      <ArrivalFacts detail={detail} />
      <dl className="chargers-facts">
        <Fact name={t('detail.power')}>
          {row.power === null ? row.kw : <PowerText power={row.power} stored={row.kw} />}
        </Fact>
        <Fact name={t('detail.type')}>{charger.type}</Fact>
        <Fact name={t('detail.connectors')}>{listText(charger.connectors, i18n.language)}</Fact>
        <Fact name={t('detail.aircraft')}>{listText(charger.aircraftTypes, i18n.language)}</Fact>
        <Fact name={t('detail.payment')}>{listText(charger.paymentTypes, i18n.language)}</Fact>
        <Fact name={t('detail.manufacturer')}>{charger.manufacturer}</Fact>
        <Fact name={t('detail.software')}>{charger.softwareVersion}</Fact>
        <Fact name={t('detail.country')}>{country === null ? null : words.country(country)}</Fact>
        <Fact name={t('detail.id')}>{String(charger.id)}</Fact>
      </dl>
      <PositionFacts detail={detail} />
      {atSite > 1 ? (
        <Button kind="quiet" onClick={() => choose({ kind: 'site', key: row.site })}>
          {t('detail.others', { count: atSite, figure: words.count(atSite) })}
        </Button>
      ) : null}
    </>
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

/** The power as Hangar reads it and, if different, as it is stored. */
function PowerText({ power, stored }: { power: Power; stored: string | null }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  return (
    <>
      {words.power(power, stored)}
      {power.outlets > 1 ? <div className="secondary">{t('detail.total', { kw: power.totalKw })}</div> : null}
      {stored === String(power.kw) ? null : (
        <div className="secondary" dir="auto">
          {t('detail.powerAsStored', { kw: stored })}
        </div>
      )}
    </>
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

function StateFacts({ detail: { row, charger, disagreement } }: { detail: ChargerDetail }) {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const nowMs = useNow(NOW_EVERY_MS)
  const { liveState, syncedAtMs } = row
  const isKnown = liveState === null || Object.hasOwn(t('live', { returnObjects: true }), liveState)
  const staleText = () => {
    if (syncedAtMs !== null) return t('detail.stale', { time: exactTimeText(syncedAtMs, words.language) })
    const given = charger.liveStateSyncedAt
    return given === null ? t('detail.neverSynced') : t('detail.syncUnusable', { text: straightText(given) })
  }
  return (
    <section className="chargers-now" aria-label={t('detail.state')}>
      <p className="chargers-now-state">
        <MarkerIcon markerStyle={row.markerStyle} size={20} />
        <b>{words.state(row)}</b>
        {liveState === null || row.markerStyle === 'stale' ? null : (
          <span
            className="secondary"
            title={syncedAtMs === null ? undefined : exactTimeText(syncedAtMs, words.language)}
          >
            {syncedAtMs === null ? null : t('synced', { when: relativeText(syncedAtMs, nowMs, words.language) })}
          </span>
        )}
      </p>
      {row.markerStyle === 'stale' ? <p className="chargers-disagree">{staleText()}</p> : null}
      {isKnown ? null : (
        <p className="secondary" dir="auto">
          {t('detail.rawState', { state: straightText(liveState) })}
        </p>
      )}
      <dl className="chargers-facts">
        <Fact name={t('detail.liveState')}>{liveState === null ? t('detail.notLinked') : words.state(row)}</Fact>
        <Fact name={t('detail.available')}>
          {charger.available === null ? null : charger.available ? t('detail.yes') : t('detail.no')}
        </Fact>
      </dl>
      {disagreement === null ? null : <p className="chargers-disagree">{t(`detail.${disagreement}`)}</p>}
      {liveState === null && charger.available !== null ? <p className="secondary">{t('detail.onlySaid')}</p> : null}
      {row.unseen ? <p className="chargers-disagree">{t('notSeen')}</p> : null}
    </section>
  )
}
