import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { SETTING_GROUPS } from '../../../shared/settings/settings.ts'

/**
 * Throws `bad_request` unless everything that the person has seen is still stored: a form must not silently undo a change that was
 * made elsewhere while it was open. Undefined members were not seen; the members of a group are compared one by one.
 */
export function assertSeen(seen: object | undefined, now: object): void {
  if (seen !== undefined && !isStill(seen, now)) throw new AppError('bad_request', say('changed_meanwhile'))
}

function isStill(seen: object, now: object): boolean {
  return Object.entries(seen).every(([name, value]: [string, unknown]) => {
    const stored = (now as Record<string, unknown>)[name]
    if (value === undefined || isDeepStrictEqual(value, stored)) return true
    return isGroup(name) && isObject(value) && isObject(stored) && isStill(value, stored)
  })
}

/** The parts of a recipe, in contrast, belong together. */
const isGroup = (name: string) => SETTING_GROUPS.some((group) => group === name)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
