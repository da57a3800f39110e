import { useEffect } from 'react'
import { useView } from '../../../store/view-store.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { shownMap } from '../map/charger-map.ts'
import { nextTask } from '../data/next-task.ts'
import { chargerIndex, useChargers } from '../store/chargers-store.ts'
import { gapOf, placesOf, useRoute } from './route-store.ts'

/** A departure time of "now" moves on, and live states change. */
const AGAIN_EVERY_MS = 60_000

/** Plans the route while it is shown: at each change, with each new set of chargers, and every minute. */
export function useRoutePlanning(): void {
  const plan = useView(({ route }) => route)
  const version = useChargers((view) => view.version)
  const ends = plan === null ? '' : JSON.stringify([plan.from, plan.via, plan.to])
  useEffect(() => {
    useRoute.setState({ planned: null, picked: 0, leg: null })
  }, [ends])
  useEffect(() => {
    if (plan === null || version === 0) return
    let isCurrent = true
    const planNow = async () => {
      useRoute.setState({ isPlanning: true })
      // Among many chargers it takes a moment: the page says so first.
      await nextTask()
      const planned = isCurrent ? await chargerIndex.plan(plan) : null
      if (!isCurrent) return
      const { planned: before, picked } = useRoute.getState()
      const routes = planned?.routes ?? []
      useRoute.setState({ planned, isPlanning: false, picked: picked < routes.length ? picked : 0 })
      const [route] = routes
      const gap = gapOf(planned)
      if ((before === null || before.none !== null) && route !== undefined)
        shownMap()?.revealAll(placesOf(route).map(({ place }) => place))
      else if (before === null && gap.length > 0)
        shownMap()?.revealAll(
          [plan.from, ...gap.map((place) => ({ place })), plan.to].flatMap((end) => end?.place ?? []),
        )
    }
    inBackground(planNow)
    const timer = setInterval(() => inBackground(planNow), AGAIN_EVERY_MS)
    return () => {
      isCurrent = false
      clearInterval(timer)
    }
  }, [plan, version])
}
