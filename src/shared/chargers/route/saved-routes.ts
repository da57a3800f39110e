/** A saved route, with the service that it was planned with. */
interface WatchedRoute {
  /** The address of the charger service; null for the practice service. */
  service: string | null
  chargers: readonly number[]
  notify: boolean
}

/** Whether two addresses, as people enter them, are those of one charger service; null is the practice service. */
const isSameService = (one: string | null, other: string | null): boolean => addressOf(one) === addressOf(other)

/** Nearly as `chargerBaseUrl` reads it, which belongs to another layer; one that is no address only equals itself. */
const addressOf = (given: string | null) =>
  given === null || !URL.canParse(given) ? given : new URL(given).href.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')

/** The routes with notices switched on, at the service in use. */
export function watchedRoutes<Route extends WatchedRoute>({
  chargerBaseUrl,
  chargers,
}: {
  chargerBaseUrl: string | null
  chargers: { routes: readonly Route[] }
}): readonly Route[] {
  return chargers.routes.filter(({ service, notify }) => notify && isSameService(service, chargerBaseUrl))
}

/** The chargers on all of them. */
export function watchedChargers(settings: Parameters<typeof watchedRoutes>[0]): ReadonlySet<number> {
  return new Set(watchedRoutes(settings).flatMap(({ chargers }) => chargers))
}
