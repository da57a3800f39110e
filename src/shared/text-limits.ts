/** Of a file name that a person gives, in UTF-16 units: as many as one of the service may have. */
export const MAX_NAME_CHARS = 2000

/** As many texts are changed by one replacement. */
export const MAX_REPLACEMENTS = 2000
