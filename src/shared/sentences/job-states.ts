/** Where a job stands. `found` and `settling` exist in memory only: nothing is journalled before a picture is complete. */
export const JOB_STATES = [
  'ready',
  'sending',
  'waiting',
  'fetching',
  'writing',
  'done',
  'skipped',
  'held',
  'failed',
  'unknown',
  'cancelled',
] as const
type JobState = (typeof JOB_STATES)[number]

/** States that a job never leaves by itself. `held` is not among them: it resumes where it was. */
export const END_STATES = ['done', 'skipped', 'failed', 'unknown', 'cancelled'] as const satisfies readonly JobState[]
export const hasEnded = (state: JobState): boolean => END_STATES.some((end) => end === state)

/** Of what was sent and is not done. */
export const UNDER_WAY_STATES = ['sending', 'waiting', 'fetching', 'writing'] as const satisfies readonly JobState[]
/** States that go on by themselves. */
export const ACTIVE_STATES = ['ready', ...UNDER_WAY_STATES] as const satisfies readonly JobState[]
