/** Upper limit of the request rate per minute. Separate from the settings' schema, so that the page does not bundle zod. */
export const MOST_REQUESTS_PER_MINUTE = 60_000
