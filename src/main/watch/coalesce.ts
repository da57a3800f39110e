/**
 * Makes `run` serial: a call while it runs leads to exactly one more run, however many calls there are.
 * The promise ends as the run that covers the call does; a run that rejects does not keep the next one from running.
 */
export function coalesce(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  const start = (): Promise<void> => {
    current = run().finally(() => {
      current = null
    })
    return current
  }
  return () => {
    if (current === null) return start()
    const afterwards = () => {
      next = null
      return start()
    }
    next ??= current.then(afterwards, afterwards)
    return next
  }
}
