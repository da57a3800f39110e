import { afterEach, beforeEach } from 'vitest'
import { QueueBench } from './queue-bench.ts'

/** That of the test which runs, in a file that makes one for each. */
export let bench: QueueBench

/** At the top of a file, before its own hooks. */
export function makeBenchForEachTest(): void {
  beforeEach(() => {
    bench = new QueueBench()
  })
  afterEach(() => bench.dispose())
}
