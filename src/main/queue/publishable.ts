import { uploadTypeOf } from '../core/plan-work.ts'
import type { QueueContext } from './context.ts'
import type { Finishing, Step } from './finishing.ts'
import type { StagedFile } from './ports.ts'
import { copyThatWasSent } from './sent-copy.ts'

/**
 * Lets only a file through that shows its original: as a part that may be published, with what the service dropped put back.
 * Otherwise the job fails, the file is kept aside for a person to look at, and no part is left. The service was paid and is not
 * asked again.
 */
export async function publishable(
  { files, log }: QueueContext,
  work: Finishing,
  served: StagedFile,
  signal: AbortSignal,
): Promise<Step<{ file: StagedFile }>> {
  const { job, image, place, bytes: original } = work
  try {
    const given = await files.readStaged(served)
    const judged = await files.judge(
      { bytes: given, sha256: served.sha256 },
      { bytes: original, sha256: image.sha256 },
      copyThatWasSent(work),
      signal,
    )
    signal.throwIfAborted()
    if (!judged.ok) {
      await files.discard(served)
      return { stop: { kind: 'fail', reason: 'download_broken', detail: judged.detail } }
    }
    if (!judged.fits) {
      await files.setAside(job.id, given, uploadTypeOf(image)).catch((error: unknown) => {
        log.warn('a file that was not taken could not be kept', { job: job.id, error: String(error) })
      })
      await files.discard(served)
      return { stop: { kind: 'fail', reason: 'not_this_picture', detail: judged.why } }
    }
    work.losses = judged.losses
    const { bytes } = judged
    if (bytes === null) return { stop: null, file: served }
    await files.discard(served)
    return { stop: null, file: await files.stage(place, job.id, 'optimized', (sink) => sink(bytes)) }
  } catch (error) {
    await files.discard(served)
    throw error
  }
}
