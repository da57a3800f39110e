import { onTestFinished } from 'vitest'
import { publishFile, type PublishRequest } from '../../src/main/files/publish-file.ts'
import { discardStaged, type StagedPart, stageFile, type StageRequest } from '../../src/main/files/stage-file.ts'
import { jobId } from './temp-folder.ts'

/** A part with this text, of the first job where nothing else is said, that is gone after the test. */
export async function stageText(dir: string, text: string, more: Partial<StageRequest> = {}): Promise<StagedPart> {
  const request = { rootDir: dir, targetDir: dir, jobId: jobId(1), role: 'optimized', maxBytes: 1_000_000 } as const
  const part = await stageFile({ ...request, ...more }, async (sink) => {
    for (const letter of text) await sink(Buffer.from(letter))
  })
  onTestFinished(() => discardStaged(part))
  return part
}

export const names = (n: number): string => (n === 1 ? 'out.webp' : `out-${n}.webp`)

export const publish = (part: StagedPart, more: Partial<PublishRequest> = {}): Promise<string> =>
  publishFile({ part, names, isOwn: () => null, onPlanned: () => undefined, ...more })
