import type { Raster } from '../core/likeness.ts'
import type { AnswerTo, HashedBytes, JudgeOptions, PicturePort } from '../core/picture-tasks.ts'

/** Each takes 4 KB. */
const KEPT = 5000

interface Comparing {
  inspect: (file: HashedBytes, signal?: AbortSignal, leavesJpegPixels?: boolean) => Promise<AnswerTo<'inspect'>>
  judge: (
    served: HashedBytes,
    original: HashedBytes,
    copy: JudgeOptions['copy'],
    signal?: AbortSignal,
  ) => Promise<AnswerTo<'judge'>>
}

/**
 * Inspects and judges by a worker, and keeps what the judgement compares of the last inspected files by their content: both files of a
 * judgement were decoded whole before, the original to be sent and the served one to be whole. What was forgotten is decoded again.
 */
export function keepRasters(
  worker: Pick<PicturePort, 'inspect' | 'judge'>,
  { most = KEPT }: { most?: number } = {},
): Comparing {
  const kept = new Map<string, Raster>()
  const known = (sha256: string): Raster | null => kept.get(sha256) ?? null
  return {
    inspect: async ({ bytes, sha256 }, signal, leavesJpegPixels = false) => {
      const seen = await worker.inspect({ bytes, leavesJpegPixels, makesRaster: true }, signal)
      const raster = seen.ok ? seen.raster : null
      if (raster !== null && raster !== undefined) {
        kept.delete(sha256)
        // A copy: the message that it came in may hold more memory.
        kept.set(sha256, { ...raster, cells: Uint8Array.from(raster.cells) })
        const oldest = kept.keys().next()
        if (kept.size > most && oldest.done !== true) kept.delete(oldest.value)
      }
      return seen
    },
    judge: async (served, original, copy, signal) => {
      const rasters = { served: known(served.sha256), original: known(original.sha256) }
      const judged = await worker.judge({ bytes: served.bytes, original: original.bytes, copy, known: rasters }, signal)
      // Neither waits for a comparison any more. If it is made again all the same, both are decoded.
      if (judged.ok) for (const { sha256 } of [served, original]) kept.delete(sha256)
      return judged
    },
  }
}
