/** The limit of places that a person can save. */
export const MOST_PLACES = 500
export const MAX_PLACE_NAME = 80

/** A place that the charger service does not list, under a name of the person's own. Degrees. */
export interface OwnPlace {
  name: string
  lat: number
  lng: number
}

/** With the new ones in place of those of the same name, whatever its case. */
export function withPlaces(places: readonly OwnPlace[], more: readonly OwnPlace[]): OwnPlace[] {
  const replaced = new Set(more.map(keyOf))
  return [...places.filter((place) => !replaced.has(keyOf(place))), ...more]
}

export function placeNamed(places: readonly OwnPlace[], name: string): OwnPlace | null {
  const wanted = keyOf({ name })
  return places.find((place) => keyOf(place) === wanted) ?? null
}

export const isSameName = (one: string, other: string): boolean => keyOf({ name: one }) === keyOf({ name: other })

const keyOf = ({ name }: Pick<OwnPlace, 'name'>) => name.trim().toUpperCase()
