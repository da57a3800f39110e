import { create } from 'zustand'
import type { BulkStep } from '../../../shared/jobs/job-list.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { readFacts, removeJobs, takeStep } from '../../store/jobs-actions.ts'
import type { Facts } from '../../store/jobs-facts.ts'
import { useJobs } from '../../store/jobs-store.ts'

/** An action that costs, cannot be undone, or is only possible in part. */
export type Question =
  | { kind: 'retry' | 'resend' | 'cancel' | 'restore'; ids: readonly string[] }
  | { kind: 'remove'; ids: readonly string[]; facts: Facts }
  /** Only jobs that need a person are selected. */
  | { kind: 'removeUnsettled'; ids: readonly string[]; facts: Facts }

export const useQuestion = create<{ question: Question | null }>(() => ({ question: null }))
export const closeQuestion = () => useQuestion.setState({ question: null })
const ask = (question: Question) => useQuestion.setState({ question })

/** Asks first if it may cost or cannot be undone. `mayCost`: jobs that may be charged again when they are sent again. */
export function requestStep(step: BulkStep, ids: readonly string[], mayCost: readonly string[]): void {
  const mayCostAgain = ids.some((id) => mayCost.includes(id))
  if (step === 'cancel' || (mayCostAgain && (step === 'retry' || step === 'resend'))) ask({ kind: step, ids })
  else inBackground(() => takeStep(step, ids))
}

export function askToRestore(ids: readonly string[]): void {
  ask({ kind: 'restore', ids })
}

/** Removes these jobs, or the selected or focused ones. Those that need a person stay, unless there are no others; then it asks. */
export async function askToRemove(these?: readonly string[]): Promise<void> {
  const { selection, filter } = useJobs.getState()
  if (filter.chip === 'removed') return
  const { ids, focus } = selection
  const chosen = these ?? (ids.size > 0 || focus === null ? ids : [focus])
  const facts = await readFacts(chosen)
  if (facts === null) return
  const underWay = facts.steps.cancel
  if (underWay.length > 0) ask({ kind: 'remove', ids: underWay, facts })
  else if (facts.settled.length > 0) await removeJobs(facts, 'settled')
  else if (facts.unsettled.length > 0) ask({ kind: 'removeUnsettled', ids: facts.unsettled, facts })
}
