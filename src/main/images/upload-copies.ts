import type { AnswerTo, CopyOptions, Encoded, HashedBytes, PicturePort } from '../core/picture-tasks.ts'

/** How many copies are cached: as many as can be in flight. */
const KEPT = 4

type MakeCopy = (source: HashedBytes, wanted: CopyOptions, signal?: AbortSignal) => Promise<AnswerTo<'shrink'>>

/** The last few are cached by content, so that a picture that waits to be sent is not encoded again. */
export function createUploadCopies(worker: Pick<PicturePort, 'shrink'>): MakeCopy {
  const kept = new Map<string, Encoded>()
  return async ({ bytes, sha256 }, wanted, signal) => {
    const key = `${sha256} ${JSON.stringify(wanted)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const copy = await worker.shrink({ bytes, ...wanted }, signal)
    if (!copy.ok) return copy
    kept.set(key, copy)
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest)
    return copy
  }
}
