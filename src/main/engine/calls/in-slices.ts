/** Items visited before yielding to the event loop. */
const SLICE = 200

/** Visits every item without blocking the event loop for long. */
export async function inSlices<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (const [n, item] of items.entries()) {
    if (n % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
    visit(item)
  }
}
