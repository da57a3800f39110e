/*
 * What may leave the list. No zod here: this goes into the page as well.
 */

/** Nothing is left to decide about these. */
export const SETTLED_STATES = ['done', 'skipped', 'cancelled'] as const
/** These have ended, and a person is to decide what becomes of them: they never leave the list together with others. */
export const UNSETTLED_STATES = ['failed', 'unknown'] as const
