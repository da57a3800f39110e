/** One task's share of the budget, from its request until it is given back. */
export interface MemoryShare {
  /** Releases what was granted, or leaves the queue. Idempotent. */
  giveBack(): void
}

/** Memory shared by tasks in several processes, reserved before use. */
export interface MemoryBudget {
  /** Calls `granted` once this many bytes are free, in FIFO order. More than the whole budget gets all of it and runs alone. */
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

/** For all image workers: two photos of 25 megapixels are encoded as AVIF at a time, or one of 50 (bench/results/memory.md). */
export const imageMemory: MemoryBudget = createMemoryBudget(2 * 1024 ** 3)
