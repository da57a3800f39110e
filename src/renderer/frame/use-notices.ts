import { t } from 'i18next'
import { useEffect } from 'react'
import type { Notice } from '../../shared/contract/stream.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import { offerIntake } from '../intake/take-files.ts'
import { savedPlan } from '../store/saved-routes.ts'
import { onNotice } from '../store/shell-store.ts'
import { goTo, useView } from '../store/view-store.ts'
import { listText, sizeText } from '../text/figures.ts'
import { toast } from '../store/toasts.ts'
import { holdPlace } from '../store/service-trouble.ts'

/** More names than these are a list, not a line. */
const NAMED_MISSING = 3

type Of<Kind extends Notice['kind']> = Extract<Notice, { kind: Kind }>

/** Shows the engine's notices as toasts, each with a link to its subject. */
export function useNotices(): void {
  useEffect(() => onNotice(show), [])
}

const showJobs = (label: string, states: readonly JobState[]) => ({
  label,
  run: () => goTo('jobs', { jobsFilter: { states } }),
})

function show(notice: Notice): void {
  switch (notice.kind) {
    case 'batch_done':
      return showDone(notice)
    // The banner over the content shows it while it lasts.
    case 'confirm_spend':
      return
    case 'service_held': {
      const { place, section } = holdPlace(notice.reason.code)
      const action = { label: t('frame:notice.settle'), run: () => goTo(place, { section: section }) }
      return toast(t(`reasons:reason.${notice.reason.code}.happened`), { action })
    }
    case 'unknown':
      return toast(t('frame:notice.unknown', { count: notice.jobs }), {
        action: showJobs(t('frame:notice.decide'), ['unknown']),
      })
    case 'offer':
      return showOffer(notice)
    case 'favourite':
      return showChanges(notice)
    case 'hook_failed':
      return toast(t('frame:notice.hookFailed', { hook: straightText(notice.hook) }), {
        action: { label: t('frame:notice.show'), run: () => goTo('settings', { section: 'hooks' }) },
      })
    case 'failed':
      return toast(t('common:notice.failed', { count: notice.jobs }), {
        action: showJobs(t('frame:notice.show'), ['failed']),
      })
  }
}

function showDone(notice: Of<'batch_done'>): void {
  if (notice.done + notice.failed === 0)
    return toast(t('frame:notice.nothingNew'), { action: showJobs(t('frame:notice.show'), ['done', 'skipped']) })
  // There, each picture says it itself.
  if (notice.failed === 0 && useView.getState().place === 'jobs') return
  const done = notice.done > 0 ? t('common:notice.done', { count: notice.done }) : ''
  const saved = notice.savedBytes > 0 ? t('common:notice.saved', { size: sizeText(notice.savedBytes) }) : ''
  const failed = notice.failed > 0 ? t('common:notice.failedToo', { count: notice.failed }) : ''
  toast([done, saved, failed].filter(Boolean).join(', '), {
    action: showJobs(t('frame:notice.show'), notice.failed > 0 ? ['failed'] : ['done']),
  })
}

function showOffer(notice: Of<'offer'>): void {
  const named = notice.missing.slice(0, NAMED_MISSING).map(straightText)
  const names = listText(notice.missing.length > named.length ? [...named, '…'] : named)
  if (notice.missing.length > 0) toast(t('frame:notice.notThere', { count: notice.missing.length, names }))
  offerIntake(notice.places)
}

function showChanges({ changes, routes }: Of<'favourite'>): void {
  const [first, ...more] = changes
  if (first === undefined) return
  const where = [first.icao, first.airfield].filter(Boolean).join(' ') || t('common:notice.charger.somewhere')
  const text =
    more.length === 0
      ? t(`common:notice.charger.${first.kind}`, { where })
      : t('common:notice.chargers', { count: more.length + 1 })
  const names = listText(routes.map(({ name }) => straightText(name)))
  const [route, ...others] = routes
  const run = () => {
    if (route !== undefined && others.length === 0)
      return goTo('chargers', { charger: null, route: savedPlan(route.id) })
    goTo('chargers', more.length > 0 ? {} : { charger: { kind: 'charger', id: first.id, fromSite: null } })
  }
  toast(routes.length === 0 ? text : t('common:notice.onRoutes', { count: routes.length, text, routes: names }), {
    action: { label: t('frame:notice.show'), run },
  })
}
