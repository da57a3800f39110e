/** Any number of calls during a run lead to exactly one more. Each promise settles with the run that covers its call. */
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
    if (current === null) return next ?? start()
    const afterwards = () => {
      next = null
      return start()
    }
    next ??= current.then(afterwards, afterwards)
    return next
  }
}
