import { HIDDEN } from './hide-secret.ts'

/** An id becomes part of a path, so one that would change the path is unusable, and one that repeats the key is none. */
export function isUsableId(id: string): boolean {
  return (
    !id.includes(HIDDEN) &&
    id.length > 0 &&
    id.length <= 200 &&
    id !== '.' &&
    id !== '..' &&
    id.isWellFormed() &&
    !/\p{Cc}/u.test(id)
  )
}
