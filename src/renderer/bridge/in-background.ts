/** Starts work that is not awaited. A failure is in the console, and said over the content (`store/page-trouble.ts`). */
export function inBackground(work: () => unknown): void {
  // An async function, so that work which throws at once rejects as any other does.
  const tried: () => unknown = async () => await work()
  tried()
}
