/** Max results that may be ready before the next one in order. */
const AHEAD = 64

/** Yields the results in the order of the items. When the consumer stops, an item fails or `signal` aborts, those begun are awaited. */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<Result>,
  signal: AbortSignal,
): AsyncGenerator<Result> {
  const begun = new Map<number, Promise<Result>>()
  let [next, busy, wanted, isOver] = [0, 0, 0, false]
  const begin = () => {
    while (!isOver && busy < workers && next < items.length && next < wanted + AHEAD) {
      const result = work(items[next]!)
      busy += 1
      begun.set(next++, result)
      const ended = () => {
        busy -= 1
        begin()
      }
      // A failure is thrown when the consumer reaches it.
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
