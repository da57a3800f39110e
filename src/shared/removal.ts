/*
 * Which jobs may leave the list. No zod here: this is bundled into the page as well.
 */

/** States that leave nothing to decide. */
export const SETTLED_STATES = ['done', 'skipped', 'cancelled'] as const
/** End states that need a person's decision: these jobs never leave the list together with others. */
export const UNSETTLED_STATES = ['failed', 'unknown'] as const
