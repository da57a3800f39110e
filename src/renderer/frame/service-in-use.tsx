import { CircleAlert, Cloud, FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { useShell } from '../store/shell-store.ts'
import { goTo } from '../store/view-store.ts'
import { countText, durationText, exactTimeText, relativeText } from '../text/figures.ts'
import { hostOf, serviceHost, serviceTrouble } from '../store/service-trouble.ts'
import { PRACTICE_START_MS, useLate } from '../parts/use-late.ts'
import { useNow } from '../parts/use-now.ts'

/** Which service the pictures go to, where the chargers come from, what is wrong, and the credits left. */
export function ServiceInUse() {
  const service = useShell(({ state }) => state?.service ?? null)
  if (service === null) return <NoService />
  return (
    <>
      <ServiceName service={service} />
      <Balance service={service} />
    </>
  )
}

/** Without a configured address, an image service is available only while the practice service runs. */
function NoService() {
  const { t } = useTranslation('frame')
  if (!useLate(PRACTICE_START_MS)) return null
  const why = t('service.practiceDownExplains')
  return (
    <button
      data-tip={why}
      data-tip-side="right"
      type="button"
      className="rail-service"
      onClick={() => goTo('settings', { section: 'services' })}
    >
      <CircleAlert size={16} aria-hidden className="rail-trouble" />
      <span className="rail-label rail-two">
        <span className="ellipsis">{t('service.practice')}</span>
        <span className="rail-wrong">{t('service.practiceDown')}</span>
      </span>
      <span className="unseen">{why}</span>
    </button>
  )
}

function ServiceName({ service }: { service: ServiceStatus }) {
  const { t, i18n } = useTranslation('frame')
  const trouble = serviceTrouble(service)
  const host = serviceHost(service) ?? t('service.none')
  const chargerUrl = useShell(({ state }) => state?.settings.chargerBaseUrl ?? null)
  const chargers = chargerUrl === null ? null : hostOf(chargerUrl)
  // Say "practice" for both services only while both are the practice service.
  const practice = t(chargers === null ? 'service.practice' : 'service.practicePictures')
  const name = service.practice ? practice : host
  const wrong = trouble === null ? null : t(`trouble.${trouble.code}.short`)
  const why =
    trouble === null
      ? [
          t(service.practice ? 'service.practiceExplains' : 'service.explains', { host }),
          chargers === null ? t('service.sampleChargers') : t('service.realChargers', { host: chargers }),
        ].join('\n')
      : t(`trouble.${trouble.code}.explains`, { duration: durationText(trouble.forMs ?? 0, i18n.language) })
  const open = () => goTo(trouble?.place ?? 'settings', { section: trouble === null ? 'services' : trouble.section })
  const Icon = trouble !== null ? CircleAlert : service.practice ? FlaskConical : Cloud
  return (
    <button data-tip={why} data-tip-side="right" type="button" className="rail-service" onClick={open}>
      <Icon size={16} aria-hidden className={trouble === null ? undefined : 'rail-trouble'} />
      <span className="rail-label rail-two">
        <span className={service.practice ? 'rail-practice' : 'ellipsis'}>{name}</span>
        {wrong === null ? null : <span className="rail-wrong">{wrong}</span>}
      </span>
      <span className="unseen">{why}</span>
    </button>
  )
}

function Balance({ service }: { service: ServiceStatus }) {
  const { t, i18n } = useTranslation('frame')
  const nowMs = useNow(30_000)
  const { balance } = service
  if (balance === null) return null
  const credits = countText(balance.credits, i18n.language)
  const age = t('balance.age', {
    relative: relativeText(balance.atMs, nowMs, i18n.language),
    exact: exactTimeText(balance.atMs, i18n.language),
  })
  return (
    <button
      data-tip={age}
      data-tip-side="right"
      type="button"
      className="rail-balance figures"
      onClick={() => goTo('credits')}
    >
      <span className="rail-label">{t('balance.credits', { count: balance.credits, shown: credits })}</span>
      <span className="rail-short" aria-hidden>
        {new Intl.NumberFormat(i18n.language, { notation: 'compact' }).format(balance.credits)}
      </span>
    </button>
  )
}
