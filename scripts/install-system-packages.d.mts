/** Programs that the long suite alone installs. */
export const LONG_PROGRAMS: readonly string[]
