/** Starts work that is not awaited. A failure is in the console, and said over the content (`store/page-trouble.ts`). */
export function inBackground(work: () => unknown): void {
  // As async it rejects where the work throws before it waits for anything; as `unknown` it needs nobody to await it.
  const tried: () => unknown = async () => await work()
  tried()
}
