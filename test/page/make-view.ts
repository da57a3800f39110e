import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { ExportedJob } from '../../src/shared/presentation/export-jobs.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { detailOf } from '../../src/main/page/job-row.ts'
import { makeJob } from '../queue/make-job.ts'

const HASH = 'a'.repeat(64)

/** A finished job of a person's photo; `changes` say what is different about this one. */
export function jobView(changes: Partial<JobView> = {}, n = 1): JobView {
  const output = (role: 'optimized' | 'converted', name: string, sizeBytes: number): Job['outputs'][number] => ({
    role,
    path: `/pictures/${name}`,
    sha256: HASH,
    sizeBytes,
    state: 'published',
    type: role === 'optimized' ? 'jpeg' : 'webp',
  })
  const job = makeJob({
    id: jobId(n),
    source: { path: '/pictures/photo.jpg', sizeBytes: 1_000_000, mtimeNs: '1' },
    image: { sha256: HASH, type: 'jpeg', width: 1600, height: 1200, animated: false, frames: 1, extras: [] },
    signature: 'signature',
    serviceId: 'practice',
    paidKey: 'key',
    state: 'done',
    outputs: [output('optimized', 'photo-optimized.jpg', 600_000), output('converted', 'photo.webp', 300_000)],
    updatedAtMs: 2000,
  })
  return {
    ...job,
    removedAtMs: null,
    nextSteps: [],
    review: 'none',
    ...changes,
  }
}

export const jobId = (n: number): string => `01HQ${String(n).padStart(22, '0')}`

export function exportedJob({ name = 'photo.jpg', alt = '' }: { name?: string; alt?: string }): ExportedJob {
  const detail = detailOf(jobView(), {
    recipe: { ...DEFAULT_RECIPE, output: { kind: 'beside' } },
    texts: [{ languageCode: 'en', seoFilename: 'photo', altText: alt, original: null, originalName: null }],
    earlier: [],
    renames: [],
    decorative: false,
    history: [],
    present: [true, true],
    restorable: false,
  })
  const isPlain = name === 'photo.jpg'
  const outputs = isPlain ? detail.outputs : detail.outputs.map((output) => ({ ...output, name }))
  return { ...detail, row: { ...detail.row, name }, outputs }
}
