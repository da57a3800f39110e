/** What one task holds of the budget, from when it asks until it gives it back. */
export interface MemoryShare {
  /** Gives back what was granted, or leaves the line. Nothing happens the second time. */
  giveBack(): void
}

/** Memory that tasks in several processes share, counted before they use it. */
export interface MemoryBudget {
  /**
   * Calls `granted` once this many bytes are free, at once or later, in the order of asking. What asks for more than there
   * is gets all of it: it goes alone.
   */
  ask(bytes: number, granted: () => void): MemoryShare
}

interface Waiting {
  bytes: number
  granted: () => void
}

export function createMemoryBudget(totalBytes: number): MemoryBudget {
  const line: Waiting[] = []
  let freeBytes = totalBytes

  function serve(): void {
    for (let first = line[0]; first !== undefined && first.bytes <= freeBytes; first = line[0]) {
      line.shift()
      freeBytes -= first.bytes
      first.granted()
    }
  }

  return {
    ask(bytes, granted) {
      const asked: Waiting = { bytes: Math.min(bytes, totalBytes), granted }
      let isBack = false
      line.push(asked)
      serve()
      return {
        giveBack() {
          if (isBack) return
          isBack = true
          const at = line.indexOf(asked)
          if (at >= 0) line.splice(at, 1)
          else freeBytes += asked.bytes
          serve()
        },
      }
    },
  }
}

/**
 * For all image workers of this process together: two photos of 25 megapixels become AVIF beside each other, one of 50 goes
 * alone. Measured in docs/benchmarks.md.
 */
export const imageMemory: MemoryBudget = createMemoryBudget(2 * 1024 ** 3)
