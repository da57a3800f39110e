import {
  Coins,
  FolderSync,
  Images,
  PlugZap,
  Settings,
  type LucideIcon,
  Pause,
  Play,
  CircleAlert,
  Cloud,
  FlaskConical,
} from 'lucide-react'
import i18next, { t } from 'i18next'
import { useShell } from '../store/shell-store.ts'
import type { Address } from '../store/address.ts'
import { useJobs } from '../store/jobs-store.ts'
import { placeKeys, PLACES, type PlaceName } from '../../shared/presentation/shortcuts.ts'
import { useView, goTo } from '../store/view-store.ts'
import { windowActions } from '../store/window-actions.ts'
import { PlaceLink } from '../parts/place-link.tsx'
import { needsPerson } from '../../shared/presentation/progress-figures.ts'
import { keysText } from '../parts/shortcut-keys.ts'
import './rail.css'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { exactTimeText, relativeText } from '../text/figures.ts'
import { hostOf, serviceHost, serviceTrouble } from '../store/service-trouble.ts'
import { useNow } from '../parts/use-now.ts'

const ICON: Record<PlaceName, LucideIcon> = {
  jobs: Images,
  folders: FolderSync,
  credits: Coins,
  chargers: PlugZap,
  settings: Settings,
}

/** A larger count is shown as "many"; the tooltip has the number. */
const MAX_COUNTED = 99

export function Rail() {
  const isFolded = useView(({ place, openJob }) => place === 'jobs' && openJob !== null)
  return (
    <nav className={isFolded ? 'rail folded' : 'rail'} aria-label={t('frame:places')}>
      <div className="rail-name">
        <img src="./icon.svg" alt="" width={20} height={20} />
        <span>Hangar</span>
      </div>
      <ul className="rail-places">
        {PLACES.map((place) => (
          <li key={place}>
            <RailPlace place={place} keys={keysText(placeKeys(place))} />
          </li>
        ))}
      </ul>
      <div className="rail-foot">
        <ServiceInUse />
        <PauseButton />
      </div>
    </nav>
  )
}

function RailPlace({ place, keys }: { place: PlaceName; keys: string }) {
  const isHere = useView((view) => view.place === place)
  const waiting = useShell(({ state }) => attention(place, state))
  const to = useReturn(place)
  const Icon = ICON[place]
  const name = t(`common:places.${place}`)
  const needs =
    waiting === 0 ? null : t(`frame:attention.${place === 'folders' ? 'folders' : 'jobs'}`, { count: waiting })
  return (
    <PlaceLink
      data-tip={[`${name} · ${keys}`, needs].filter(Boolean).join('\n')}
      data-tip-side="right"
      to={to}
      className="rail-place"
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon size={16} aria-hidden />
      <span className="rail-label ellipsis">{name}</span>
      {needs === null ? null : (
        <>
          <span className="rail-count figures" aria-hidden>
            {waiting > MAX_COUNTED ? `${MAX_COUNTED}+` : waiting}
          </span>
          <span className="unseen">{needs}</span>
        </>
      )}
    </PlaceLink>
  )
}

/** The list and the map are found as they were left. */
function useReturn(place: PlaceName): Pick<Address, 'place'> & Partial<Address> {
  // From the picture that is open, the way leads back to the list.
  const openJob = useView((view) => (view.place === 'jobs' ? null : view.openJob))
  const charger = useView((view) => view.charger)
  const route = useView((view) => (view.place === 'chargers' ? null : view.route))
  const chargerFilter = useView((view) => view.chargerFilter)
  const days = useView((view) => view.days)
  const filter = useJobs((jobs) => jobs.filter)
  if (place === 'jobs') return { place, openJob, filter }
  if (place === 'credits') return { place, days }
  return place === 'chargers' ? { place, charger, chargerFilter, route } : { place }
}

function attention(place: PlaceName, state: ReturnType<typeof useShell.getState>['state']): number {
  if (state === null) return 0
  if (place === 'jobs') return needsPerson(state.counts)
  if (place === 'folders')
    return state.folders.filter((folder) => folder.state === 'missing' || folder.state === 'refused').length
  return 0
}

function PauseButton() {
  const isPaused = useShell(({ state }) => state?.settings.paused ?? false)
  return (
    <button
      data-tip={t(isPaused ? 'frame:resume.explains' : 'frame:pause.explains')}
      data-tip-side="right"
      type="button"
      className={isPaused ? 'rail-pause paused' : 'rail-pause'}
      onClick={windowActions.pauseOrResume}
    >
      {isPaused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
      <span className="rail-label ellipsis">{t(isPaused ? 'frame:resume.label' : 'frame:pause.label')}</span>
    </button>
  )
}

function ServiceInUse() {
  const service = useShell(({ state }) => state?.service ?? null)
  if (service === null) return null
  return (
    <>
      <ServiceName service={service} />
      <Balance service={service} />
    </>
  )
}

function ServiceName({ service }: { service: ServiceStatus }) {
  const trouble = serviceTrouble(service)
  const host = serviceHost(service) ?? t('frame:service.none')
  const chargerUrl = useShell(({ state }) => state?.settings.chargerBaseUrl ?? null)
  const chargers = chargerUrl === null ? null : hostOf(chargerUrl)
  // Say "practice" for both services only while both are the practice service.
  const practice = t(chargers === null ? 'frame:service.practice' : 'frame:service.practicePictures')
  const name = service.practice ? practice : host
  const why =
    trouble === null
      ? [
          t(service.practice ? 'frame:service.practiceExplains' : 'frame:service.explains', { host }),
          chargers === null ? t('frame:service.sampleChargers') : t('frame:service.realChargers', { host: chargers }),
        ].join('\n')
      : t(`frame:trouble.${trouble.code}.explains`)
  const open = () => goTo(trouble?.place ?? 'settings', { section: trouble === null ? 'services' : trouble.section })
  const Icon = trouble !== null ? CircleAlert : service.practice ? FlaskConical : Cloud
  return (
    <button data-tip={why} data-tip-side="right" type="button" className="rail-service" onClick={open}>
      <Icon size={16} aria-hidden className={trouble === null ? undefined : 'is-held'} />
      <span className="rail-label ellipsis rail-two">
        <span className={service.practice ? 'badge' : 'ellipsis'}>{name}</span>
        {trouble === null ? null : <span className="caption is-held">{t(`frame:trouble.${trouble.code}.short`)}</span>}
      </span>
      <span className="unseen">{why}</span>
    </button>
  )
}

function Balance({ service }: { service: ServiceStatus }) {
  const nowMs = useNow()
  const { balance } = service
  if (balance === null) return null
  const age = t('frame:balance.age', {
    relative: relativeText(balance.atMs, nowMs),
    exact: exactTimeText(balance.atMs),
  })
  return (
    <button
      data-tip={age}
      data-tip-side="right"
      type="button"
      className="rail-balance figures"
      onClick={() => goTo('credits')}
    >
      <span className="rail-label ellipsis">{t('frame:balance.credits', { count: balance.credits })}</span>
      <span className="rail-short" aria-hidden>
        {new Intl.NumberFormat(i18next.language, { notation: 'compact' }).format(balance.credits)}
      </span>
    </button>
  )
}
