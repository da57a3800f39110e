import type { Result } from '../../shared/contract/call.ts'
import type { PageCall, PageRequest, PageResponse } from '../../shared/contract/calls.ts'
import type { UiBridge } from '../../shared/contract/page-bridge.ts'
import type { Place } from '../../shared/contract/places.ts'
import { errorText } from './error-text.ts'
import { toast } from './toasts.ts'

/** The only connection to the shell. Set once, before anything is rendered. */
let bridge: UiBridge | null = null

export function setBridge(given: UiBridge): void {
  bridge = given
}

export function theBridge(): UiBridge {
  if (bridge === null) throw new Error('The page is not connected to its shell yet.')
  return bridge
}

/** A call whose failure the caller handles. */
export function ask<Name extends PageCall>(
  channel: Name,
  request: PageRequest<Name>,
): Promise<Result<PageResponse<Name>>> {
  return theBridge().calls[channel](request)
}

/** A call whose failure is shown in a toast; it then resolves to null. */
export async function askOrToast<Name extends PageCall>(
  channel: Name,
  request: PageRequest<Name>,
): Promise<PageResponse<Name> | null> {
  const result = await ask(channel, request)
  if (result.ok) return result.value
  toast(errorText(result.error), { bad: true })
  return null
}

/** Files from a drop or a file field as places; empty when that failed, which was shown to the person. */
export async function placesOf(files: readonly File[]): Promise<Place[]> {
  const result = await theBridge().placesOf(files)
  if (result.ok) return result.value.places
  toast(errorText(result.error), { bad: true })
  return []
}
