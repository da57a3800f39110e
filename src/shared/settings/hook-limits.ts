/* Limits of hooks that both the schemas and the page's form use; without zod, which stays out of the page. */

/** Of the arguments of a program, and of each in UTF-16 units: a box of the system shows the whole command. */
export const MAX_HOOK_ARGUMENTS = 20
export const MAX_HOOK_ARGUMENT_CHARS = 1000

/** Of the credits below which a hook tells. */
export const MAX_LOW_CREDITS = 1_000_000_000
