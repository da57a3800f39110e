/** Of a file name that a person gives, in UTF-16 units. */
export const MAX_NAME_CHARS = 200

/** As many texts are changed by one replacement. */
export const MAX_REPLACEMENTS = 2000
