interface Yielding {
  scheduler?: { yield?: () => Promise<void> }
}

/** Lets the page draw and answer before work goes on. */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as Yielding
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}
