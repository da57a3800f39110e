import type { Result } from './contract.ts'
import type { PictureKind, Place, UiChannel, UiMessage, UiRequestOf, UiResponseOf } from './ui-contract.ts'

/*
 * What a page holds of its shell. No zod here: this goes into the page and into the sandboxed preload.
 */

/** Every channel by name; leaving one out, or naming one that is not there, does not compile. */
const NAMES = {
  'jobs.index': true,
  'jobs.retry': true,
  'jobs.resolve': true,
  'jobs.cancel': true,
  'jobs.editText': true,
  'jobs.draftText': true,
  'jobs.decorative': true,
  'jobs.review': true,
  'jobs.remove': true,
  'jobs.putBack': true,
  'jobs.quarantined': true,
  'jobs.rows': true,
  'jobs.detail': true,
  'jobs.export': true,
  'jobs.restore': true,
  'queue.pause': true,
  'queue.resume': true,
  'batches.confirm': true,
  'batches.price': true,
  'batches.cancel': true,
  'batches.stopWaiting': true,
  'folders.add': true,
  'folders.update': true,
  'folders.remove': true,
  'folders.putBack': true,
  'folders.reconcile': true,
  'credits.balance': true,
  'credits.afford': true,
  'credits.history': true,
  'languages.list': true,
  'chargers.list': true,
  'chargers.status': true,
  'chargers.refresh': true,
  'chargers.favourite': true,
  'chargers.favourites': true,
  'chargers.filters.list': true,
  'chargers.filters.save': true,
  'chargers.filters.remove': true,
  'views.load': true,
  'views.save': true,
  'keys.set': true,
  'keys.delete': true,
  'keys.status': true,
  'keys.test': true,
  'recipes.list': true,
  'recipes.save': true,
  'recipes.remove': true,
  'recipes.example': true,
  'outputs.reveal': true,
  'outputs.drag': true,
  'places.pick': true,
  'places.browse': true,
  'places.makeFolder': true,
  'places.reveal': true,
  'inbox.choose': true,
  'intake.preview': true,
  'intake.add': true,
  'intake.samples': true,
  'settings.set': true,
  'log.read': true,
  'app.diagnostics': true,
  'app.revealData': true,
  'app.openExternal': true,
  'uploads.discard': true,
  'signIns.list': true,
  'signIns.end': true,
  'signIns.endAll': true,
} as const satisfies Record<UiChannel, true>

export const UI_CHANNEL_NAMES = Object.keys(NAMES) as UiChannel[]

export type UiCalls = {
  readonly [Name in UiChannel]: (request: UiRequestOf<Name>) => Promise<Result<UiResponseOf<Name>>>
}

/** What a shell gives its page; the preload puts it at `window.hangar`, a browser page makes its own over a socket. */
export interface UiBridge {
  readonly calls: UiCalls
  /** Starts the stream: a snapshot, then deltas. Returns unsubscribe. */
  onMessage(listener: (message: UiMessage) => void): () => void
  /** Every message is acknowledged once it was worked in: a page that falls behind gets a fresh snapshot instead. */
  acknowledge(seq: number): void
  /** Files that were dropped on the page or chosen in it. Where the shell has paths they are named, else uploaded. */
  placesOf(files: readonly File[]): Promise<Result<{ places: Place[] }>>
}

/** The address of a picture's rendering below the page's own origin. `version` only defeats caches: `updatedAtMs`. */
export function picturePath(jobId: string, kind: PictureKind, version: number): string {
  return `/picture/${jobId}/${kind}?v=${version}`
}

/** The address of an output as a download; `index` null means the original. */
export function downloadPath(jobId: string, index: number | null): string {
  return `/download/${jobId}/${index ?? 'original'}`
}

/** The address of all chargers as JSON: `{version, atMs, unseen, chargers}`. `version` only defeats caches: the status's. */
export function chargersPath(version: number): string {
  return `/chargers.json?v=${version}`
}
