/** The limit for a person's file name in UTF-16 units: the same as for the service's. */
export const MAX_NAME_CHARS = 2000

/** The maximum number of texts that one replacement changes. */
export const MAX_REPLACEMENTS = 2000
