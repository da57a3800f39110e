import { useEffect, useState } from 'react'
import type { AppErrorShape } from '../../../../shared/sentences/errors.ts'
import type { JobDetail } from '../../../../shared/contract/jobs.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { onJobsChanged } from '../../../store/shell-store.ts'
import { onTextsChanged } from '../../../store/typed-texts.ts'

/** While an arrow key is held down, most jobs are skipped. */
const SETTLE_MS = 60
/** A job under way changes several times a second. */
const AGAIN_MS = 300

export interface DetailView {
  /** Null while it is loading. */
  detail: JobDetail | null
  error: AppErrorShape | null
  again: () => void
}

/** All data of one job, kept up to date while it is shown. */
export function useDetail(id: string): DetailView {
  const [known, setKnown] = useState<{ id: string; detail: JobDetail | null; error: AppErrorShape | null } | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    let newest = 0
    const read = async () => {
      const mine = ++newest
      const answer = await ask('jobs.detail', { id })
      if (!isCurrent || mine !== newest) return
      setKnown((before) =>
        answer.ok
          ? { id, detail: answer.value, error: null }
          : { id, detail: before?.id === id ? before.detail : null, error: answer.error },
      )
    }
    let timer: ReturnType<typeof setTimeout> | null = null
    const soon = (delayMs: number) => {
      timer ??= setTimeout(() => {
        timer = null
        inBackground(read)
      }, delayMs)
    }
    soon(round === 0 ? SETTLE_MS : 0)
    const unsubscribe = onJobsChanged(({ rows, stale }) => {
      if (stale || rows.some((row) => row.id === id)) soon(AGAIN_MS)
    })
    // Saved texts are shown as in the answer, before the job is fetched again.
    const stopTexts = onTextsChanged((jobId, texts) => {
      if (jobId !== id) return
      setKnown((before) =>
        before?.id === id && before.detail !== null ? { ...before, detail: { ...before.detail, texts } } : before,
      )
    })
    return () => {
      isCurrent = false
      if (timer !== null) clearTimeout(timer)
      unsubscribe()
      stopTexts()
    }
  }, [id, round])
  const isIt = known?.id === id
  return {
    detail: isIt ? known.detail : null,
    error: isIt ? known.error : null,
    again: () => setRound((n) => n + 1),
  }
}
