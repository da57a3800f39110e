import type { ChargerChange } from '../../shared/chargers/charger-status.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { listText } from '../../shared/text/list-text.ts'
import type { SavedRoute, Settings } from '../../shared/settings/settings.ts'
import type { DecidedNotice } from './notices.ts'
import type { Texts } from './texts.ts'

/** Whether a person wants a system notification of this. */
export function isWanted({ kind }: DecidedNotice, { batchDone, needsPerson }: Settings['notifications']): boolean {
  // Said in the window alone: its pictures are well.
  if (kind === 'hook_failed') return false
  // Chargers have their own setting; without it they cause no notice in the first place.
  if (kind === 'favourite') return true
  return kind === 'batch_done' ? batchDone : needsPerson
}

const NAMED_HOLDS: readonly string[] = ['key_missing', 'key_refused', 'credits_short', 'address_wrong']

/** How many changes or routes fit a notification. */
const MAX_NAMED = 3
/** Matches codes and locators only: the program that shows the notification may interpret other text as markup. */
const AIRFIELD_CODE = /^[A-Z0-9-]{2,8}$/

function changeText({ icao, kind }: ChargerChange, text: Texts['text']): string {
  const where = icao !== null && AIRFIELD_CODE.test(icao) ? icao : text('common:notice.charger.somewhere')
  return text(`common:notice.charger.${kind}`, { where })
}

const MAX_NAME = 60
/** What a markup or a link is made of. Routes are named by people, with what a service calls the airfields as a suggestion. */
const NOT_PLAIN = /(?!(?<=\d)\.(?=\d))[^\p{L}\p{M}\p{N} ,'’→–-]/gu

/** The names of routes, without what a program could interpret. */
function routeNames(routes: readonly { name: string }[]): string[] {
  return routes
    .slice(0, MAX_NAMED)
    .map(({ name }) => straightText(name).replace(NOT_PLAIN, ' ').replace(/ +/g, ' ').trim().slice(0, MAX_NAME))
    .filter((name) => name !== '')
}

const IN_SERVICES: readonly string[] = ['key_missing', 'key_refused', 'other_account', 'address_wrong']

/** What a click on a system notification opens: the fragment that the page's own toast leads to. */
export function noticeAddress(notice: DecidedNotice, routes: readonly SavedRoute[]): string {
  switch (notice.kind) {
    case 'batch_done':
      if (notice.done + notice.failed === 0) return '#/jobs?states=done.skipped'
      return `#/jobs?states=${notice.failed > 0 ? 'failed' : 'done'}`
    case 'confirm_spend':
      return `#/jobs?states=held&batch=${encodeURIComponent(notice.batchId)}`
    case 'service_held': {
      const { code } = notice.reason
      if (IN_SERVICES.includes(code)) return '#/settings/services'
      return code === 'credits_short' ? '#/credits' : '#/jobs'
    }
    case 'favourite': {
      const [charger, ...chargers] = notice.changes
      const route = notice.routes.length === 1 ? routes.find(({ id }) => id === notice.routes[0]!.id) : undefined
      if (route !== undefined) return `#/chargers/route?${route.query}`
      return charger === undefined || chargers.length > 0 ? '#/chargers' : `#/chargers/${charger.id}`
    }
    case 'hook_failed':
      return '#/settings/hooks'
    case 'unknown':
    case 'failed':
      return `#/jobs?states=${notice.kind}`
  }
}

/**
 * The text of a system notification. Numbers, Hangar's own words and names of saved routes only: no file names, nothing else
 * from a service.
 */
export function noticeText(notice: DecidedNotice, { text, size, language }: Texts): { title: string; body: string } {
  switch (notice.kind) {
    case 'batch_done': {
      const { done, failed, savedBytes } = notice
      if (done + failed === 0)
        return { title: text('notice.batchDone.titleNothing'), body: text('notice.batchDone.bodyNothing') }
      if (done === 0)
        return { title: text('common:notice.failed', { count: failed }), body: text('notice.failed.body') }
      const saved = savedBytes > 0 ? [text('common:notice.saved', { size: size(savedBytes) })] : []
      const lost = failed > 0 ? [text('common:notice.failedToo', { count: failed })] : []
      return { title: text('common:notice.done', { count: done }), body: [...saved, ...lost].join(', ') }
    }
    case 'confirm_spend':
      return {
        title: text('notice.confirmSpend.title', { count: notice.held }),
        body: text('notice.confirmSpend.body'),
      }
    case 'service_held': {
      const { code } = notice.reason
      const which = NAMED_HOLDS.includes(code) ? code : 'other'
      return { title: text('notice.serviceHeld.title'), body: text(`notice.serviceHeld.${which}`) }
    }
    case 'favourite': {
      const { changes, routes } = notice
      const some = changes.slice(0, MAX_NAMED).map((change) => changeText(change, text))
      const said = [...some, ...(changes.length > MAX_NAMED ? ['…'] : [])].join(' · ')
      const names = routeNames(routes)
      const values = { count: names.length, text: said, routes: listText(names, language) }
      return {
        title: text('common:notice.chargers', { count: changes.length }),
        body: names.length > 0 ? text('common:notice.onRoutes', values) : said,
      }
    }
    case 'hook_failed':
      return { title: text('notice.hookFailed.title'), body: '' }
    case 'unknown':
      return { title: text('notice.unknown.title', { count: notice.jobs }), body: text('notice.unknown.body') }
    case 'failed':
      return { title: text('common:notice.failed', { count: notice.jobs }), body: text('notice.failed.body') }
  }
}
