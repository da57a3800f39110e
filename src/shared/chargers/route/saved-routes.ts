/** A saved route, with the service that it was planned with. */
interface WatchedRoute {
  /** The address of the charger service; null for the practice service. */
  service: string | null
  chargers: readonly number[]
  notify: boolean
}

/** Whether two addresses, as people enter them, are those of one charger service; null is the practice service. */
export function isSameService(one: string | null, other: string | null): boolean {
  return addressOf(one) === addressOf(other)
}

/** As `chargerBaseUrl` reads it; one that is no address only equals itself. */
function addressOf(given: string | null): string | null {
  if (given === null) return null
  try {
    const { origin, pathname } = new URL(given.trim())
    return (
      origin +
      pathname
        .replace(/\/{2,}/g, '/')
        .replace(/\/$/, '')
        .replace(/\/api(\/v1)?$/, '')
    )
  } catch {
    return given
  }
}

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
