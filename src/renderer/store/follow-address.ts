import { fragmentOf, readFragment, type Address } from './address.ts'
import { NO_FILTER } from './jobs-filter.ts'
import { useJobs } from './jobs-store.ts'
import { goTo, useView } from './view-store.ts'

/** What the window shows now, as an address. */
function currentAddress(): Address {
  const { place, openJob, folder, charger, route, section, jobsFilter } = useView.getState()
  // The list has not taken a filter from elsewhere yet.
  const filter = jobsFilter === null ? useJobs.getState().filter : { ...NO_FILTER, ...jobsFilter }
  return { place, openJob, filter, folder, charger, route, section }
}

/** Keeps the address bar and the window in step: a reload, Back, Forward, a bookmark and a link lead where they say. */
export function followAddress(): void {
  let shown = currentAddress()
  let isFollowing = false
  const write = () => {
    // That is a sign-in link, which is about to be consumed.
    if (isFollowing || location.hash.startsWith('#link=')) return
    const now = currentAddress()
    const before = shown
    shown = now
    const fragment = fragmentOf(now)
    if (fragment === location.hash) return
    if (location.hash === '' || isSameStep(before, now)) history.replaceState(null, '', fragment)
    else history.pushState(null, '', fragment)
  }
  const follow = () => {
    const address = readFragment(location.hash === '' ? '#/jobs' : location.hash)
    if (address === null) return
    isFollowing = true
    const { place, openJob, filter, folder, charger, route, section } = address
    if (place === 'jobs') goTo(place, { openJob, jobsFilter: filter })
    else if (place === 'chargers') goTo(place, { charger, route })
    else goTo(place, { folder, section })
    isFollowing = false
    shown = currentAddress()
    // Parts that could not be read are removed from the address.
    if (fragmentOf(shown) !== location.hash) history.replaceState(null, '', fragmentOf(shown))
  }
  follow()
  addEventListener('popstate', follow)
  useView.subscribe(write)
  useJobs.subscribe((now, before) => now.filter !== before.filter && write())
}

/** Moving to the next picture or charger, typing in the search and planning a route add no entry to the history. */
function isSameStep(one: Address, other: Address): boolean {
  const withoutSteps = ({ openJob, charger, route, filter, ...rest }: Address) =>
    JSON.stringify({
      ...rest,
      filter: { ...filter, search: '' },
      isOpen: [openJob !== null, charger?.kind ?? null, route !== null],
    })
  return withoutSteps(one) === withoutSteps(other)
}
