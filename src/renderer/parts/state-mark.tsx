import type { JobState } from '../../shared/sentences/reasons.ts'

type Mark = 'done' | 'working' | 'waiting' | 'held' | 'failed' | 'unknown' | 'off'

const MARK: Record<JobState, Mark> = {
  ready: 'waiting',
  sending: 'working',
  waiting: 'working',
  fetching: 'working',
  writing: 'working',
  done: 'done',
  skipped: 'off',
  held: 'held',
  failed: 'failed',
  unknown: 'unknown',
  cancelled: 'off',
}

/** Each has a shape of its own, so that none depends on colour. */
const SHAPE: Record<Mark, string> = {
  done: 'M2.5 6.5 5 9l4.5-5.5',
  working: 'M6 1.5a4.5 4.5 0 1 1-4.5 4.5',
  waiting: 'M1.8 6a4.2 4.2 0 1 0 8.4 0 4.2 4.2 0 1 0-8.4 0',
  held: 'M4 2.5v7M8 2.5v7',
  failed: 'm3 3 6 6M9 3 3 9',
  unknown: 'M4 4.2A2.1 2.1 0 1 1 6.7 6.3c-.5.2-.7.5-.7 1V7.6M6 10v.1',
  off: 'M2.5 6h7',
}

/** The caller puts the word beside it. */
export function StateShape({ state, size = 12 }: { state: JobState; size?: number }) {
  const mark = MARK[state]
  const color = mark === 'off' ? 'var(--secondary)' : `var(--${mark})`
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden style={{ color }}>
      <path d={SHAPE[mark]} fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />
    </svg>
  )
}
