import { NO_COUNTRY } from './countries.ts'
import { liveStatusOf } from './live-state.ts'
import type { FacetText, PreparedCharger } from './prepare.ts'

/** A value to filter by, and how many chargers have it. */
export interface Facet {
  /** The value for a `ChargerFilter`. */
  key: string
  /** The most common spelling, untrusted; for countries and states it is the key, which the caller translates. */
  label: string
  count: number
}

const VALUES = {
  countries: ({ country }) => [plain(country ?? NO_COUNTRY)],
  connectors: ({ connectors }) => connectors,
  aircraft: ({ aircraft }) => aircraft,
  payment: ({ payment }) => payment,
  states: (one, nowMs) => [plain(liveStatusOf(one, nowMs).liveClass)],
} as const satisfies Record<string, (one: PreparedCharger, nowMs: number) => readonly FacetText[]>

/** The filters with a list of values. */
export type FacetName = keyof typeof VALUES

const plain = (key: string): FacetText => ({ key, label: key })

/** The most common first. States are those at `nowMs`. */
export function facet(name: FacetName, prepared: readonly PreparedCharger[], nowMs: number): Facet[] {
  const values = prepared.flatMap((one): readonly FacetText[] => VALUES[name](one, nowMs))
  return [...Map.groupBy(values, ({ key }) => key)]
    .map(([key, alike]) => ({ key, label: commonest(alike), count: alike.length }))
    .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
}

/** Ties go to the first by code point, so that the result does not depend on the order of the chargers. */
function commonest(values: readonly FacetText[]): string {
  const labels = [...Map.groupBy(values, ({ label }) => label)]
  const [[label] = ['']] = labels.sort(([a, some], [b, more]) => more.length - some.length || (a < b ? -1 : 1))
  return label
}
