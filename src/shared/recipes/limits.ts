/* Limits that both the schemas and the page's forms use; without zod, which stays out of the page. */

/** The requests per minute a service may be sent: far above what one machine can prepare and fetch. */
export const MAX_REQUESTS_PER_MINUTE = 60_000

/** Our own bound: the document limits languages for `/credits/afford` (1 to 10) and says nothing for uploads. */
export const MAX_LANGUAGES = 10

/** Limits in pixels of a recipe's long edge and of its widths: a favicon, and the largest size of WebP. */
export const MIN_EDGE_PX = 16
export const MAX_EDGE_PX = 16_383

/** Limits in kilobytes (1000 bytes) for the largest size of a converted file: a favicon, and more than any page serves. */
export const MIN_SIZE_KB = 2
export const MAX_SIZE_KB = 100_000

/** A ULID in Crockford's base 32, in either case (image service document, "Project"). */
export const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/i

/** More widths than this do not help a page: browsers choose the next larger one. */
export const MAX_WIDTHS = 10

/** The limit for a person's file name in UTF-16 units: the same as for the service's. */
export const MAX_NAME_CHARS = 2000

/** The limit for a person's alt text in UTF-16 units. */
export const MAX_ALT_TEXT_CHARS = 10_000

/** In bytes, for what people and word rules wrote about one picture: with the service's texts it fits into a readable sidecar. */
export const MAX_EDITED_BYTES = 500_000

/** The maximum number of texts that one call edits. */
export const MAX_EDITS = 500

/** The limit for a file from the window, and for it in base64, which fits into one message. */
export const MAX_IMPORT_BYTES = 5_000_000
export const MAX_IMPORT_CHARS = 6_700_000

/** The limit for a file of texts, which goes into a message compressed, or is read where it is: ten thousand pictures in ten languages. */
export const MAX_TEXTS_BYTES = 50_000_000

/** The maximum number of texts that word rules change at once. */
export const MAX_REPLACEMENTS = 2000

/** The limit of favourite chargers at a service. */
export const MAX_FAVOURITES = 2000

/** Limits for the word rules of a recipe, and for each of their texts in UTF-16 units. Each job carries its recipe. */
export const MAX_RULES = 100
export const MAX_RULE_CHARS = 100
