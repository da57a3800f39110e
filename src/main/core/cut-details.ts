import type { Job } from '../../shared/job.ts'
import { MOST_DETAIL_CHARS } from '../../shared/reasons.ts'

/**
 * The job with details no longer than a journal row may have. A service or a decoder may say more than that, and a row that
 * cannot be read back would take the job off the list.
 */
export function cutDetails(job: Job): Job {
  const { reason, notes } = job
  const isLong = [...(reason === null ? [] : [reason]), ...notes].some(
    ({ detail }) => detail !== null && detail.length > MOST_DETAIL_CHARS,
  )
  if (!isLong) return job
  return { ...job, reason: reason === null ? null : cut(reason), notes: notes.map(cut) }
}

function cut<Said extends { detail: string | null }>(said: Said): Said {
  return said.detail === null ? said : { ...said, detail: said.detail.slice(0, MOST_DETAIL_CHARS).toWellFormed() }
}
