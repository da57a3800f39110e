import type { Job } from '../../shared/job.ts'
import type { HoldReason, NextStep } from '../../shared/reasons.ts'
import { canTake } from './transition.ts'

const HOLD_STEPS: Record<HoldReason, NextStep[]> = {
  key_missing: ['set_key'],
  key_refused: ['set_key'],
  other_account: ['set_key'],
  other_service: ['fix_address'],
  credits_short: ['top_up', 'retry'],
  address_wrong: ['fix_address', 'retry'],
  spend_guard: ['confirm_spend'],
  stalled: ['retry'],
  disk_full: ['free_space', 'retry'],
  target_not_writable: ['free_space', 'retry'],
  folder_missing: ['retry'],
}

/** What a person can do about a job now, the best first. */
export function nextSteps(job: Job): NextStep[] {
  const steps: NextStep[] = []
  if (job.state === 'held' && job.reason !== null)
    steps.push(...(HOLD_STEPS[job.reason.code as HoldReason] ?? ['retry']))
  if (job.state === 'unknown') {
    if (canTake(job, { type: 'askAgain' })) steps.push('ask_again')
    steps.push('resend', 'drop')
  }
  if (job.state === 'failed') {
    if (canTake(job, { type: 'fetchAgain' })) steps.push('fetch_again')
    if (job.reason?.code === 'never_ended') steps.push('ask_again')
    // What could not be taken in has nothing to retry outside a watched folder: the command is given again.
    if (job.image !== null || job.folderId !== null) steps.push('retry')
    steps.push('drop')
  }
  if (job.state === 'cancelled') steps.push('retry')
  if (canTake(job, { type: 'cancel' })) steps.push('cancel')
  return steps
}
