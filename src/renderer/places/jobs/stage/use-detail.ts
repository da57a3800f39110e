import { useEffect, useState } from 'react'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { onTextsChanged } from '../../../store/typed-texts.ts'
import { useAnswer, useChangesOf } from '../../../store/use-answer.ts'

/** While an arrow key is held down, most jobs are skipped. */
const SETTLE_MS = 60
/** A job under way changes several times a second. */
const AGAIN_MS = 300

export type DetailView = ReturnType<typeof useDetail>

/** All data of one job, kept up to date while it is shown, also when that fails; null while it is loading. */
export function useDetail(id: string) {
  const changes = useChangesOf((one) => one === id, AGAIN_MS)
  const { value, error, isEarlier, again } = useAnswer('jobs.detail', { id }, SETTLE_MS, changes)
  const [kept, setKept] = useState<{ of: string; answer: JobDetail; detail: JobDetail } | null>(null)
  if (value !== null && !isEarlier && (value !== kept?.answer || kept.of !== id))
    setKept({ of: id, answer: value, detail: value })
  // Saved texts are shown as in the answer, before the job is fetched again.
  useEffect(
    () =>
      onTextsChanged((jobId, texts) =>
        setKept((now) => (now?.of === jobId ? { ...now, detail: { ...now.detail, texts } } : now)),
      ),
    [],
  )
  return { detail: kept?.of === id ? kept.detail : null, error: isEarlier ? null : error, again }
}
