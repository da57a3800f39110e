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

/** The most common first. States are those at `nowMs`. */
export function facet(name: FacetName, prepared: readonly PreparedCharger[], nowMs: number): Facet[] {
  return counted(prepared, (one) => VALUES[name](one, nowMs))
}

function plain(key: string): FacetText {
  return { key, label: key }
}

function counted(
  prepared: readonly PreparedCharger[],
  valuesOf: (one: PreparedCharger) => readonly FacetText[],
): Facet[] {
  const byKey = new Map<string, { count: number; labels: Map<string, number> }>()
  for (const one of prepared)
    for (const { key, label } of valuesOf(one)) {
      const known = byKey.get(key) ?? { count: 0, labels: new Map<string, number>() }
      known.count += 1
      known.labels.set(label, (known.labels.get(label) ?? 0) + 1)
      byKey.set(key, known)
    }
  return [...byKey]
    .map(([key, { count, labels }]) => ({ key, label: commonest(labels), count }))
    .sort((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
}

/** Ties go to the first by code point, so that the result does not depend on the order of the chargers. */
function commonest(labels: ReadonlyMap<string, number>): string {
  let best = ''
  let most = 0
  for (const [label, count] of labels)
    if (count > most || (count === most && label < best)) [best, most] = [label, count]
  return best
}
