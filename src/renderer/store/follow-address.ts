import { t } from 'i18next'
import { fragmentOf, readFragment, type Address } from './address.ts'
import { NO_FILTER } from './jobs-filter.ts'
import { useJobs } from './jobs-store.ts'
import { useOpenDialogs } from './open-dialogs.ts'
import { toast } from './toasts.ts'
import { goTo, useView } from './view-store.ts'

function currentAddress(): Address {
  const { place, openJob, folder, charger, chargerFilter, route, section, days, jobsFilter } = useView.getState()
  // The list has not taken a filter from elsewhere yet.
  const filter = jobsFilter === null ? useJobs.getState().filter : { ...NO_FILTER, ...jobsFilter }
  return { place, openJob, filter, folder, charger, chargerFilter, route, section, days }
}

/** The number of the current history entry, which tells Back from Forward; null for one that a link or a person made. */
function entryNumber(): number | null {
  const { state } = history as { state: { entry?: unknown } | null }
  return typeof state?.entry === 'number' ? state.entry : null
}

/** While a dialog is open, Back and Forward cancel it instead of being followed; a link is followed once it has closed. */
export function followAddress(): void {
  let shown = currentAddress()
  let entry = entryNumber() ?? 0
  let isFollowing = false
  let isReturning = false
  /** The link that waits until no dialog is open: one may ask first, or have another under it. */
  let waiting: string | null = null
  const write = () => {
    // That is a sign-in link, which is about to be consumed.
    if (isFollowing || isReturning || location.hash.startsWith('#link=')) return
    const now = currentAddress()
    const before = shown
    shown = now
    const fragment = fragmentOf(now)
    if (fragment === location.hash) return
    if (location.hash === '' || isSameStep(before, now)) history.replaceState({ entry }, '', fragment)
    else history.pushState({ entry: (entry += 1) }, '', fragment)
  }
  const follow = ({ isLink }: { isLink: boolean }) => {
    const address = readFragment(location.hash === '' ? '#/jobs' : location.hash)
    if (address === null) return
    isFollowing = true
    goToAddress(address, isLink)
    isFollowing = false
    shown = currentAddress()
    // Parts that could not be read are removed from the address.
    if (fragmentOf(shown) !== location.hash) history.replaceState({ entry }, '', fragmentOf(shown))
  }
  const goOn = () => {
    if (waiting === null || isReturning || useOpenDialogs.getState().open.length > 0) return
    location.hash = waiting
    waiting = null
  }
  const onPopState = () => {
    if (isReturning) {
      isReturning = false
      write()
      return goOn()
    }
    const reached = entryNumber() ?? entry + 1
    const dialog = useOpenDialogs.getState().open.at(-1)
    if (dialog !== undefined && reached !== entry) {
      isReturning = true
      waiting = entryNumber() === null ? location.hash : null
      history.go(entry - reached)
      dialog.cancel()
      return
    }
    entry = reached
    const isLink = entryNumber() === null
    if (isLink) history.replaceState({ entry }, '', location.hash)
    follow({ isLink })
  }
  follow({ isLink: true })
  if (entryNumber() === null && !location.hash.startsWith('#link=')) history.replaceState({ entry }, '', location.href)
  addEventListener('popstate', onPopState)
  useOpenDialogs.subscribe(goOn)
  useView.subscribe(write)
  useJobs.subscribe((now, before) => now.filter !== before.filter && write())
}

function goToAddress(address: Address, isLink: boolean): void {
  const { place, openJob, filter, folder, charger, route, section, days } = address
  if (place === 'jobs') goTo(place, { openJob, jobsFilter: filter })
  else if (place === 'chargers') {
    if (route === null && location.hash.startsWith('#/chargers/route')) toast(t('frame:noRouteRead'), { bad: true })
    // A link without filters leaves them as they are; an entry of the history without any had none.
    const chargerFilter = address.chargerFilter ?? (isLink ? useView.getState().chargerFilter : '')
    goTo(place, { charger, route, chargerFilter })
  } else goTo(place, place === 'credits' ? { days } : { folder, section })
}

/** Typing, dragging, planning, stepping to the next picture or charger and restoring filters add no entry to the history. */
function isSameStep(one: Address, other: Address): boolean {
  const isRestored = one.chargerFilter === null && one.place === other.place
  const withoutSteps = ({ openJob, charger, chargerFilter, route, filter, ...rest }: Address) =>
    JSON.stringify({
      ...rest,
      chargerFilter: isRestored ? null : filterStep(chargerFilter ?? ''),
      filter: { ...filter, search: '' },
      isOpen: [openJob !== null, charger?.kind ?? null, route !== null],
    })
  return withoutSteps(one) === withoutSteps(other)
}

/** The filters without what is typed, and without figures. */
function filterStep(query: string): string {
  const params = new URLSearchParams(query)
  params.delete('search')
  if (params.has('min')) params.set('min', '')
  return params.toString()
}
