import type { PageCall } from './calls.ts'

/** The Electron IPC channels behind the page bridge (`contract/page-bridge.ts`). No zod here: the preload uses them. */

/** Request and response of one call of the contract. */
export function callChannel(name: PageCall): string {
  return `hangar:call:${name}`
}

/** Page to main, with an answer: absolute paths of dropped files, which the preload reads and the page never sees. */
export const PLACES_CHANNEL = 'hangar:places'
/** Page to main: true starts the stream with a snapshot, false ends it. */
export const LISTEN_CHANNEL = 'hangar:listen'
/** Page to main: the `seq` of a message that was applied. */
export const ACKNOWLEDGE_CHANNEL = 'hangar:acknowledge'
/** Main to page: snapshots and deltas. */
export const MESSAGE_CHANNEL = 'hangar:message'
