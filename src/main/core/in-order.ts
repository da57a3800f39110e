/** Results that may be there before the one that comes first. */
const AHEAD = 64

/**
 * The results of some work in the order of its items, as they come. At most `lanes` items are worked on at the same time. When
 * the loop over it ends early, or one item fails, or `signal` aborts, no further item is begun, and those begun are awaited.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const begun = new Map<number, Promise<Result>>()
  let [next, busy, wanted, isOver] = [0, 0, 0, false]
  const begin = () => {
    while (!isOver && busy < lanes && next < items.length && next < wanted + AHEAD) {
      const result = work(items[next]!)
      busy += 1
      begun.set(next++, result)
      const ended = () => {
        busy -= 1
        begin()
      }
      // A failure is thrown when it is its turn.
      result.then(ended, ended)
    }
  }
  try {
    for (; wanted < items.length; wanted += 1) {
      signal.throwIfAborted()
      begin()
      const result = await begun.get(wanted)!
      begun.delete(wanted)
      yield result
    }
  } finally {
    isOver = true
    await Promise.allSettled(begun.values())
  }
}
