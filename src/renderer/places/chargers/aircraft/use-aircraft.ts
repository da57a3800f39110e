import { t } from 'i18next'
import { aircraftKey, EXAMPLE_AIRCRAFT, EXAMPLE_ID, type Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import type { KeptAircraft } from '../../../../shared/settings/settings.ts'
import { changeChargers } from '../../../store/charger-settings.ts'
import { useShell } from '../../../store/shell-store.ts'

/** A saved aircraft, or the one of `EXAMPLE_ID`. */
export type NamedAircraft = Aircraft & Pick<KeptAircraft, 'id' | 'name'>

const NONE: readonly KeptAircraft[] = []

/** `all`: the person's own, then the example. `chosen`: the one that chargers are checked against. */
export function useAircraft() {
  const kept = useShell(({ state }) => state?.settings.chargers.aircraft ?? NONE)
  const chosenId = useShell(({ state }) => state?.settings.chargers.aircraftId ?? null)
  const all: NamedAircraft[] = [...kept, { ...EXAMPLE_AIRCRAFT, id: EXAMPLE_ID, name: t('chargers:aircraft.example') }]
  return { all, chosen: all.find(({ id }) => id === chosenId) ?? null }
}

export function figuresOf(aircraft: Aircraft): Aircraft {
  const { connectors, types, rangeNm, reserve, speedKt, usableKwh, maxKw } = aircraft
  return { connectors, types, rangeNm, reserve, speedKt, usableKwh, maxKw }
}

export function isSameAircraft(one: Aircraft, other: Aircraft): boolean {
  return JSON.stringify(figuresOf(one)) === JSON.stringify(figuresOf(other))
}

/** Saves the figures under the name, replacing an aircraft of the same name, and chooses it. */
export async function keepAircraft(name: string, { connectors, types, ...figures }: Aircraft): Promise<void> {
  await changeChargers(({ aircraft: kept }) => {
    const id = kept.find((one) => aircraftKey(one.name) === aircraftKey(name))?.id ?? crypto.randomUUID()
    const one = { ...figures, connectors: [...connectors], types: [...types], id, name: name.trim() }
    return { aircraft: [...kept.filter((other) => other.id !== id), one], aircraftId: id }
  })
}

export async function removeAircraft(id: string): Promise<void> {
  await changeChargers(({ aircraft, aircraftId }) => ({
    aircraft: aircraft.filter((one) => one.id !== id),
    aircraftId: aircraftId === id ? null : aircraftId,
  }))
}

export function chosenAircraft(): Aircraft | null {
  const { aircraft = NONE, aircraftId = null } = useShell.getState().state?.settings.chargers ?? {}
  if (aircraftId === EXAMPLE_ID) return EXAMPLE_AIRCRAFT
  const one = aircraft.find(({ id }) => id === aircraftId)
  return one === undefined ? null : figuresOf(one)
}
