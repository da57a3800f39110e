/** Programs that the long lane alone installs. */
export const LONG_PROGRAMS: readonly string[]
