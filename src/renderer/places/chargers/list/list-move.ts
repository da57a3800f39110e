/** The index that a key moves to in a list of `count` lines; null for any other key. */
export function listMove(key: string, from: number, count: number, page: number): number | null {
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  }[key]
  return to === undefined || count === 0 ? null : Math.min(Math.max(to, 0), count - 1)
}
