/** An id becomes part of a path, so one that would change the path is unusable. */
export function isUsableId(id: string): boolean {
  return id.length > 0 && id.length <= 200 && id !== '.' && id !== '..' && id.isWellFormed() && !/\p{Cc}/u.test(id)
}
