/** A saved route, with the service that it was planned with. */
interface WatchedRoute {
  /** The address of the charger service; null for the practice service. */
  service: string | null
  chargers: readonly number[]
  notify: boolean
}

/** The chargers on all routes with notices switched on, at the service in use. */
export function watchedChargers({
  chargerBaseUrl,
  chargers,
}: {
  chargerBaseUrl: string | null
  chargers: { routes: readonly WatchedRoute[] }
}): ReadonlySet<number> {
  const watched = chargers.routes.filter(({ service, notify }) => notify && service === chargerBaseUrl)
  return new Set(watched.flatMap((route) => route.chargers))
}
