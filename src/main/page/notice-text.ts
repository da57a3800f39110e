import type { ChargerChange } from '../../shared/chargers/charger-status.ts'
import type { HoldReason } from '../../shared/sentences/reasons.ts'
import { straightText } from '../../shared/text/safe-characters.ts'
import { listText } from '../../shared/text/list-text.ts'
import type { SavedRoute, Settings } from '../../shared/settings/settings.ts'
import type { Notice } from '../../shared/contract/stream.ts'
import type { DecidedNotice } from './notices.ts'
import type { Texts } from './texts.ts'

/** Whether a person wants a system notification of this. */
export function isWanted(
  { kind }: Pick<DecidedNotice, 'kind'>,
  { batchDone, needsPerson }: Settings['notifications'],
): boolean {
  // The window alone says it: the pictures are well.
  if (kind === 'hook_failed') return false
  // Chargers have their own setting; without it they cause no notice in the first place.
  if (kind === 'favourite') return true
  return kind === 'batch_done' ? batchDone : needsPerson
}

const MAX_NAMED = 3
/** The program that shows a notification may interpret other text as markup. */
const AIRFIELD_CODE = /^[A-Z0-9-]{2,8}$/

function chargerChangeText({ icao, kind }: ChargerChange, text: Texts['text']): string {
  const where = icao !== null && AIRFIELD_CODE.test(icao) ? icao : text('common:notice.charger.somewhere')
  return text(`common:notice.charger.${kind}`, { where })
}

const MAX_NAME = 60
/** What markup or a link is made of: people name routes, often after what a service calls the airfields. */
const NOT_PLAIN = /(?!(?<=\d)\.(?=\d))[^\p{L}\p{M}\p{N} ,'’→–-]/gu

function routeNames(routes: readonly { name: string }[]): string[] {
  return routes
    .slice(0, MAX_NAMED)
    .map(({ name }) => straightText(name).replace(NOT_PLAIN, ' ').replace(/ +/g, ' ').trim().slice(0, MAX_NAME))
    .filter((name) => name !== '')
}

/** Where a person settles what holds the service. */
const HOLDS: Partial<Record<HoldReason, string>> = {
  key_missing: '#/settings/services',
  key_refused: '#/settings/services',
  address_wrong: '#/settings/services',
  other_account: '#/settings/services',
  credits_short: '#/credits',
}
/** The holds that have words of their own. */
const NAMED_HOLDS: readonly string[] = ['key_missing', 'key_refused', 'credits_short', 'address_wrong']

export type WordedNotice = Exclude<Notice, { kind: 'offer' }>

/** Numbers, our own words, and the names of saved routes and hooks only: no file names, and nothing else from a service. */
export function worded(notice: DecidedNotice, texts: Texts, saved: readonly SavedRoute[]): WordedNotice {
  const { text } = texts
  const { id, kind } = notice
  const told = (address: string, title: string, body = '') => ({ id, kind, title, body, address })
  switch (notice.kind) {
    case 'batch_done':
      return { id, kind, ...batchWords(notice, texts) }
    case 'confirm_spend': {
      const address = `#/jobs?states=held&batch=${encodeURIComponent(notice.batchId)}`
      const title = text('notice.confirmSpend.title', { count: notice.held })
      return told(address, title, text('notice.confirmSpend.body'))
    }
    case 'service_held': {
      const { code } = notice.reason
      const which = NAMED_HOLDS.includes(code) ? code : 'other'
      const address = HOLDS[code] ?? '#/jobs'
      return told(address, text('notice.serviceHeld.title'), text(`notice.serviceHeld.${which}`))
    }
    case 'favourite':
      return { id, kind, ...chargerWords(notice, texts, saved) }
    case 'hook_failed':
      return told('#/settings/hooks', text('notice.hookFailed', { hook: straightText(notice.hook) }))
    case 'unknown':
      return told(
        '#/jobs?states=unknown',
        text('notice.unknown.title', { count: notice.jobs }),
        text('notice.unknown.body'),
      )
    case 'failed':
      return told(
        '#/jobs?states=failed',
        text('common:notice.failed', { count: notice.jobs }),
        text('notice.failed.body'),
      )
  }
}

type Words = Pick<WordedNotice, 'title' | 'body' | 'address'>

function batchWords(
  { done, failed, savedBytes }: Extract<DecidedNotice, { kind: 'batch_done' }>,
  { text, size }: Texts,
): Words {
  if (done + failed === 0) {
    const [title, body] = [text('notice.batchDone.titleNothing'), text('notice.batchDone.bodyNothing')]
    return { title, body, address: '#/jobs?states=done.skipped' }
  }
  const address = `#/jobs?states=${failed > 0 ? 'failed' : 'done'}`
  if (done === 0)
    return { title: text('common:notice.failed', { count: failed }), body: text('notice.failed.body'), address }
  const saved = savedBytes > 0 ? [text('common:notice.saved', { size: size(savedBytes) })] : []
  const lost = failed > 0 ? [text('common:notice.failedToo', { count: failed })] : []
  return { title: text('common:notice.done', { count: done }), body: [...saved, ...lost].join(', '), address }
}

function chargerWords(
  { changes, routes }: Extract<DecidedNotice, { kind: 'favourite' }>,
  { text, language }: Texts,
  savedRoutes: readonly SavedRoute[],
): Words {
  const some = changes.slice(0, MAX_NAMED).map((change) => chargerChangeText(change, text))
  const said = [...some, ...(changes.length > MAX_NAMED ? ['…'] : [])].join(' · ')
  const names = routeNames(routes)
  const values = { count: names.length, text: said, routes: listText(names, language) }
  const route = routes.length === 1 ? savedRoutes.find(({ id }) => id === routes[0]!.id) : undefined
  const charger = changes.length === 1 ? `/${changes[0]!.id}` : ''
  return {
    title: text('common:notice.chargers', { count: changes.length }),
    body: names.length > 0 ? text('common:notice.onRoutes', values) : said,
    address: route === undefined ? `#/chargers${charger}` : `#/chargers/route?${route.query}`,
  }
}
