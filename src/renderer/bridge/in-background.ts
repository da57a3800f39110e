/** Starts work that is not awaited. A failure is in the console, and said over the content (`store/page-trouble.ts`). */
export function inBackground(work: () => unknown): void {
  work()
}
