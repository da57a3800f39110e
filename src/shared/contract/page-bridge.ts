import type { Result } from './call.ts'
import type { PageCall, PageRequest, PageResponse } from './calls.ts'
import type { PictureKind } from './jobs.ts'
import type { Place } from './places.ts'
import type { UiMessage } from './stream.ts'

/* What a shell provides to its page. No zod here: this is bundled into the page. */
export type UiCalls = {
  readonly [Name in PageCall]: (request: PageRequest<Name>) => Promise<Result<PageResponse<Name>>>
}

/** The preload puts it at `window.hangar`; a browser page makes its own over a socket. */
export interface UiBridge {
  readonly calls: UiCalls
  /** Starts the stream: a snapshot, then deltas. Returns unsubscribe. */
  onMessage(listener: (message: UiMessage) => void): () => void
  /** Every message is acknowledged once it was applied: a page that falls behind gets a new snapshot instead. */
  acknowledge(seq: number): void
  /** Registers files that were dropped on the page or chosen in it: by path where the shell has one, else by uploading them. */
  placesOf(files: readonly File[]): Promise<Result<{ places: Place[] }>>
}

/** Where an address has the secret of the sign-in. */
export const SECRET_PARAMETER = 'secret'

/** The address of a picture, download or the chargers; the desktop window has no secret. */
export function withSecret(path: string, secret: string | null): string {
  return secret === null ? path : `${path}${path.includes('?') ? '&' : '?'}${SECRET_PARAMETER}=${secret}`
}

/** On the page's own origin; for a `file` its token takes the place of the job. `version` only busts caches. */
export function picturePath(jobId: string, kind: PictureKind, version: number): string {
  return `/picture/${jobId}/${kind}?v=${version}`
}

/** The address of an output as a download; `index` null means the original. */
export function downloadPath(jobId: string, index: number | null): string {
  return `/download/${jobId}/${index ?? 'original'}`
}

/** The address of an archive of results; `token` from `results.zip`. */
export function zipPath(token: string): string {
  return `/zip/${token}`
}

/** `version` only busts caches. */
export function chargersPath(version: number): string {
  return `/chargers.json?v=${version}`
}
