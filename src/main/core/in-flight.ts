/** Work that has begun and is not awaited where it began. */
export interface InFlight {
  /** Begins `work` now; its outcome is the caller's. */
  run<Value>(work: () => Promise<Value>): Promise<Value>
  /** Resolves when nothing runs any more, however it ended. */
  ended(): Promise<void>
}

export function createInFlight(): InFlight {
  const running = new Set<Promise<unknown>>()
  return {
    run(work) {
      const result = work()
      const ended: Promise<unknown> = result.catch(() => undefined).finally(() => running.delete(ended))
      running.add(ended)
      return result
    },
    ended: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
