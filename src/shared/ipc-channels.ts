import type { UiChannel } from './ui-contract.ts'

/** The names under which Electron's IPC carries what `ui-bridge.ts` promises. No zod here: the preload uses them. */

/** One request, one answer, for each call of the contract. */
export function callChannel(name: UiChannel): string {
  return `hangar:call:${name}`
}

/** Page to main, answered: absolute paths of dropped files, read by the preload and never by the page. */
export const PLACES_CHANNEL = 'hangar:places'
/** Page to main: true starts the stream with a snapshot, false ends it. */
export const LISTEN_CHANNEL = 'hangar:listen'
/** Page to main: the number of a message that was worked in. */
export const ACKNOWLEDGE_CHANNEL = 'hangar:acknowledge'
/** Main to page: snapshots and deltas. */
export const MESSAGE_CHANNEL = 'hangar:message'
