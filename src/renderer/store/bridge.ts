import type { Result } from '../../shared/contract.ts'
import type { Place, UiChannel, UiRequestOf, UiResponseOf } from '../../shared/ui-contract.ts'
import type { UiBridge } from '../../shared/ui-bridge.ts'
import { errorText } from '../text/error-text.ts'
import { toast } from '../ui/toasts.tsx'

/** The one way to the shell. Set once, before anything is shown. */
let bridge: UiBridge | null = null

export function setBridge(given: UiBridge): void {
  bridge = given
}

export function theBridge(): UiBridge {
  if (bridge === null) throw new Error('The page is not connected to its shell yet.')
  return bridge
}

/** A call whose failure the caller handles. */
export function ask<Name extends UiChannel>(
  channel: Name,
  request: UiRequestOf<Name>,
): Promise<Result<UiResponseOf<Name>>> {
  return theBridge().calls[channel](request)
}

/** A call whose failure is told in a toast: resolves to null then. */
export async function order<Name extends UiChannel>(
  channel: Name,
  request: UiRequestOf<Name>,
): Promise<UiResponseOf<Name> | null> {
  const result = await ask(channel, request)
  if (result.ok) return result.value
  toast(errorText(result.error), { bad: true })
  return null
}

/** Files from a drop or a file field as places; empty when that failed, and the person was told. */
export async function placesOf(files: readonly File[]): Promise<Place[]> {
  const result = await theBridge().placesOf(files)
  if (result.ok) return result.value.places
  toast(errorText(result.error), { bad: true })
  return []
}
