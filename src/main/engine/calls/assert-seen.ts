import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../shared/errors.ts'
import { say } from '../../../shared/sentence.ts'

/**
 * Throws `bad_request` unless all that a person has seen is still so: a form that was open while something else stored a change
 * must not undo that change unnoticed. Members that are undefined were not seen; those of a group count each by itself.
 */
export function assertSeen(seen: object | undefined, now: object): void {
  if (seen !== undefined && !isStill(seen, now)) throw new AppError('bad_request', say('changed_meanwhile'))
}

function isStill(seen: object, now: object): boolean {
  return Object.entries(seen).every(([name, value]: [string, unknown]) => {
    const stored = (now as Record<string, unknown>)[name]
    if (value === undefined || isDeepStrictEqual(value, stored)) return true
    return GROUPS.includes(name) && isObject(value) && isObject(stored) && isStill(value, stored)
  })
}

/** Of the settings; the parts of a recipe belong together. */
const GROUPS = ['caps', 'appearance', 'notifications', 'chargers']
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
