/** So many are done before the event loop gets its turn. */
const SLICE = 200

/** Visits every item; a hundred thousand of them must not stop everything else. */
export async function inSlices<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (const [n, item] of items.entries()) {
    if (n % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
    visit(item)
  }
}
