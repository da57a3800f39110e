import type { Encoded, ImageFailure } from './image-messages.ts'
import type { ImageWorker } from './image-worker-client.ts'

/** Copies that are kept for a while: as many as can be on their way at once. */
const KEPT = 4

export type MakeCopy = (
  source: { bytes: Uint8Array; sha256: string },
  maxBytes: number,
  signal?: AbortSignal,
) => Promise<Encoded | ImageFailure>

/**
 * Makes smaller copies of pictures. The last few are remembered by the content they were made from: a picture that has
 * to wait for the rate limit, or for the network, after its copy was made is not encoded again.
 */
export function createUploadCopies(worker: Pick<ImageWorker, 'shrink'>): MakeCopy {
  const kept = new Map<string, Encoded>()
  return async ({ bytes, sha256 }, maxBytes, signal) => {
    const key = `${sha256} ${maxBytes}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const copy = await worker.shrink(bytes, maxBytes, signal)
    if (!copy.ok) return copy
    kept.set(key, copy)
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest)
    return copy
  }
}
