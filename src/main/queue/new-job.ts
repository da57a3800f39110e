import type { ImageFacts, Job } from '../../shared/jobs/job.ts'
import type { Recipe, ServiceId } from '../../shared/recipes/recipe.ts'
import { recipeSignature } from '../core/plan-work.ts'
import type { DecisionContext } from './context.ts'

/** A request to process one file, and where it came from. */
export interface PictureRequest {
  path: string
  /** The folder that was given or is watched; contains the file. */
  rootDir: string
  folderId: string | null
  batchId: string
  recipe: Recipe
  serviceId: ServiceId
  /** Process it again although it is done; may be charged again. */
  force: boolean
  /** Jobs that the recipe is chosen in place of (`intake.add`). */
  insteadOf?: ReadonlySet<string> | undefined
}

/** The part of a job that says that nothing was done with it yet. */
export const untouched = () =>
  ({
    state: 'ready',
    resume: null,
    reason: null,
    notes: [],
    remoteJobId: null,
    accountId: null,
    result: null,
    outputs: [],
    attempts: 0,
    oddAnswers: 0,
    writeAttempts: 0,
    notBeforeMs: null,
    sentAtMs: null,
    polls: 0,
    lastPollAtMs: null,
    resendApproved: false,
    force: false,
    approvalCovers: 0,
    missingSinceMs: null,
  }) satisfies Partial<Job>

/** A new job, before it is known what its picture needs. It has no id until it is stored. */
export function newJob(
  context: Pick<DecisionContext, 'clock'>,
  request: PictureRequest,
  file: { sizeBytes: number; mtimeNs: string },
  image: ImageFacts | null,
): Job {
  const nowMs = context.clock.nowMs()
  return {
    ...untouched(),
    id: '',
    batchId: request.batchId,
    folderId: request.folderId,
    rootDir: request.rootDir,
    source: { path: request.path, sizeBytes: file.sizeBytes, mtimeNs: file.mtimeNs },
    image,
    recipe: request.recipe,
    signature: recipeSignature(request.recipe, file.sizeBytes),
    operation: null,
    serviceId: request.serviceId,
    paidKey: null,
    force: request.force,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}
