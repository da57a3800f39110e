import type { Job } from '../../shared/jobs/job.ts'
import type { FailReason, HoldReason, NextStep, ReasonCode } from '../../shared/sentences/reasons.ts'
import { canTake } from './transition.ts'

const HOLD_STEPS: Record<HoldReason, NextStep[]> = {
  key_missing: ['set_key'],
  key_refused: ['set_key'],
  other_account: ['set_key'],
  other_service: ['fix_address'],
  credits_short: ['retry'],
  credits_refused: ['retry'],
  address_wrong: ['fix_address', 'retry'],
  spend_guard: ['confirm_spend'],
  stalled: ['retry'],
  disk_full: ['free_space', 'retry'],
  target_not_writable: ['free_space', 'retry'],
  too_few_files: ['retry'],
  not_replaceable: ['retry'],
  folder_missing: ['retry'],
}

/** The file itself is unusable: a person has to repair it, after which it is taken in automatically. */
const OF_THE_FILE: readonly ReasonCode[] = [
  'not_an_image',
  'other_type',
  'unsupported',
  'cut_off',
  'damaged',
  'too_many_pixels',
] satisfies FailReason[]
/** The file does not suit the recipe: a retry ends the same way unless the recipe has changed. */
const OF_THE_RECIPE: readonly ReasonCode[] = ['too_large', 'wrong_type'] satisfies FailReason[]

/** The job has not ended, and nothing was sent or written for it yet. */
export const isUnsent = ({ state, resume }: Job): boolean =>
  state === 'ready' || (state === 'held' && resume === 'ready')

/** Whether another recipe can take the place of the job's without a second charge. */
export function canChangeRecipe(job: Job): boolean {
  if (job.state === 'held') return isUnsent(job)
  if (job.state === 'failed') return job.reason === null || !OF_THE_FILE.includes(job.reason.code)
  return job.state === 'done' || job.state === 'skipped' || job.state === 'cancelled'
}

/** What a person can do about a job now, the most useful first. */
export function nextSteps(job: Job): NextStep[] {
  const steps: NextStep[] = []
  if (job.state === 'held' && job.reason !== null)
    steps.push(...(HOLD_STEPS[job.reason.code as HoldReason] ?? ['retry']))
  if (job.state === 'unknown') {
    if (canTake(job, { type: 'pollAgain' })) steps.push('ask_again')
    steps.push('resend', 'drop')
  }
  if (job.state === 'failed') {
    if (canTake(job, { type: 'fetchAgain' })) steps.push('fetch_again')
    if (job.reason?.code === 'never_ended') steps.push('ask_again')
    steps.push(...failedSteps(job))
  }
  if (job.state === 'cancelled') steps.push('retry')
  if (canTake(job, { type: 'cancel' })) steps.push('cancel')
  return steps
}

function failedSteps(job: Job): NextStep[] {
  const code = job.reason?.code
  if (code !== undefined && OF_THE_FILE.includes(code)) return ['show_file', 'drop']
  // Outside a watched folder there is nothing to retry for a file that could not be taken in: the person adds it again.
  const retry: NextStep[] = job.image !== null || job.folderId !== null ? ['retry'] : []
  return code !== undefined && OF_THE_RECIPE.includes(code) ? ['show_file', 'drop', ...retry] : [...retry, 'drop']
}
