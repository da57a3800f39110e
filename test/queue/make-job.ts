import type { Job } from '../../src/shared/jobs/job.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { recipeSignature } from '../../src/main/core/plan-work.ts'
import type { Batch } from '../../src/main/journal/batches.ts'
import type { IntakeRequest } from '../../src/main/queue/intake.ts'
import { untouched } from '../../src/main/queue/new-job.ts'

export const SERVICE = 'https://images.example'

let count = 0

/** A ready job for a JPEG, different from every other one unless told otherwise. */
export function makeJob(changes: Partial<Job> = {}): Job {
  count += 1
  const id = `01J${String(count).padStart(23, '0')}`
  const sha256 = count.toString(16).padStart(64, '0')
  const recipe = changes.recipe ?? DEFAULT_RECIPE
  return {
    ...untouched(),
    id,
    batchId: 'batch-1',
    folderId: null,
    rootDir: '/pictures',
    source: { path: `/pictures/${count}.jpg`, sizeBytes: 1000, mtimeNs: '1' },
    image: { sha256, type: 'jpeg', width: 40, height: 30, animated: false, frames: 1, extras: [] },
    recipe,
    signature: recipeSignature(recipe, 1000),
    operation: 'process',
    serviceId: SERVICE,
    paidKey: `${SERVICE}|${sha256}|process|en|webp`,
    createdAtMs: 1000,
    updatedAtMs: 1000,
    ...changes,
  }
}

/** A run that was agreed to, and whose files are all found. */
export function makeBatch(id: string, changes: Partial<Batch> = {}): Batch {
  const price = { maxCredits: null, creditsPerImage: null, boundTo: null }
  return { id, kind: 'run', folderId: null, open: false, confirmed: true, ...price, ...changes }
}

/** What asks for a picture to be taken in. */
export function makeRequest(path: string, changes: Partial<IntakeRequest> = {}): IntakeRequest {
  const recipe = { ...DEFAULT_RECIPE, keepLarger: true }
  const from = { path, rootDir: '/pictures', folderId: null, batchId: 'B' }
  return { ...from, recipe, serviceId: SERVICE, force: false, mayBeUnfinished: false, ...changes }
}

export const SOME_RESULT = {
  imageId: 'IMG1',
  originalSize: 1000,
  optimizedSize: 500,
  convertedFormat: 'webp',
  convertedSize: 400,
  compressionPercentage: 50,
  translations: [{ languageCode: 'en', seoFilename: 'a-picture', seoAltText: 'A picture' }],
}
