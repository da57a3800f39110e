import type { Raster } from '../core/likeness.ts'
import type { AnswerTo, HashedBytes, JudgeOptions, PicturePort } from '../core/picture-tasks.ts'

/** Each takes 4 KB. */
const KEPT = 5000

/** By their content, as `kept` here is. */
export interface StoredRasters {
  /** In the order in which they were stored; empty where nothing whole is stored. */
  read: () => Promise<ReadonlyMap<string, Raster>>
  /** In the place of all before. Never fails. */
  write: (rasters: ReadonlyMap<string, Raster>) => Promise<void>
}

interface Comparing {
  inspect: (file: HashedBytes, signal?: AbortSignal, leavesJpegPixels?: boolean) => Promise<AnswerTo<'inspect'>>
  judge: (
    served: HashedBytes,
    original: HashedBytes,
    copy: JudgeOptions['copy'],
    signal?: AbortSignal,
  ) => Promise<AnswerTo<'judge'>>
  /** Stores what is still to be compared for the next start. */
  close: () => Promise<void>
}

/**
 * Inspects and judges by a worker, and keeps what the judgement compares of the last inspected files by their content: both files of a
 * judgement were decoded whole before, the original to be sent and the served one to be whole. What was forgotten is decoded again.
 * What an earlier start stored is read when it is first missed.
 */
export function keepRasters(
  worker: Pick<PicturePort, 'inspect' | 'judge'>,
  { stored, most = KEPT }: { stored?: StoredRasters; most?: number } = {},
): Comparing {
  let kept = new Map<string, Raster>()
  let isChanged = false
  let reading: Promise<void> | null = null
  const forgetOldest = (): void => {
    for (const oldest of kept.keys()) {
      if (kept.size <= most) return
      kept.delete(oldest)
    }
  }
  const readStored = (): Promise<void> =>
    (reading ??= (async () => {
      const earlier = (await stored?.read()) ?? []
      kept = new Map([...earlier, ...kept])
      forgetOldest()
    })())
  const known = (sha256: string): Raster | null => kept.get(sha256) ?? null
  return {
    inspect: async ({ bytes, sha256 }, signal, leavesJpegPixels = false) => {
      const seen = await worker.inspect({ bytes, leavesJpegPixels, makesRaster: true }, signal)
      const raster = seen.ok ? seen.raster : null
      if (raster !== null && raster !== undefined) {
        kept.delete(sha256)
        // A copy: the message that it came in may hold more memory.
        kept.set(sha256, { ...raster, cells: Uint8Array.from(raster.cells) })
        isChanged = true
        forgetOldest()
      }
      return seen
    },
    judge: async (served, original, copy, signal) => {
      if (!kept.has(original.sha256)) await readStored()
      const rasters = { served: known(served.sha256), original: known(original.sha256) }
      const judged = await worker.judge({ bytes: served.bytes, original: original.bytes, copy, known: rasters }, signal)
      // Neither waits for a comparison any more. If it is made again all the same, both are decoded.
      if (judged.ok) for (const { sha256 } of [served, original]) isChanged = kept.delete(sha256) || isChanged
      return judged
    },
    close: async () => {
      if (stored === undefined || !isChanged) return
      await readStored()
      await stored.write(kept)
    },
  }
}
