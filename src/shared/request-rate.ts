/** The most requests a minute that can be set. Apart from the settings' schema: no page brings zod along. */
export const MOST_REQUESTS_PER_MINUTE = 60_000
