import type { ReactNode } from 'react'
import type { JobState } from '../../shared/sentences/reasons.ts'

/** How a state looks: each has its own shape, so that none depends on colour. */
type MarkStyle = 'done' | 'working' | 'waiting' | 'held' | 'failed' | 'unknown' | 'off'

const STYLE: Record<JobState, MarkStyle> = {
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

const COLOUR: Record<MarkStyle, string> = {
  done: 'var(--done)',
  working: 'var(--working)',
  waiting: 'var(--waiting)',
  held: 'var(--held)',
  failed: 'var(--failed)',
  unknown: 'var(--unknown)',
  off: 'var(--secondary)',
}

const SHAPE: Record<MarkStyle, ReactNode> = {
  done: <path d="M2.5 6.5 5 9l4.5-5.5" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
  working: (
    <path d="M6 1.5a4.5 4.5 0 1 1-4.5 4.5" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
  ),
  waiting: <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  held: <path d="M4 2.5v7M8 2.5v7" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />,
  failed: <path d="m3 3 6 6M9 3 3 9" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
  unknown: (
    <path
      d="M4 4.2A2.1 2.1 0 1 1 6.7 6.3c-.5.2-.7.5-.7 1V7.6M6 10v.1"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
    />
  ),
  off: <path d="M2.5 6h7" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />,
}

function stateColour(state: JobState): string {
  return COLOUR[STYLE[state]]
}

/** The shape only; the caller puts the word beside it. */
export function StateShape({ state, size = 12 }: { state: JobState; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden style={{ color: stateColour(state) }}>
      {SHAPE[STYLE[state]]}
    </svg>
  )
}
