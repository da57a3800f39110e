export const MAX_PLACES = 500
export const MAX_PLACE_NAME = 80

/** A place that the charger service does not list, under a name of the person's own. Degrees. */
export interface OwnPlace {
  name: string
  lat: number
  lng: number
}

/** With the new ones in place of those of the same name, whatever its case. */
export function withPlaces(places: readonly OwnPlace[], more: readonly OwnPlace[]): OwnPlace[] {
  const replaced = new Set(more.map(({ name }) => keyOf(name)))
  return [...places.filter(({ name }) => !replaced.has(keyOf(name))), ...more]
}

export const placeNamed = (places: readonly OwnPlace[], name: string): OwnPlace | null =>
  places.find((place) => isSameName(place.name, name)) ?? null

export const isSameName = (one: string, other: string): boolean => keyOf(one) === keyOf(other)

const keyOf = (name: string) => name.trim().toUpperCase()
