import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { startPractice, type Practice, type RunningCli } from './harness.ts'

/** Ended with the test, if it was not before. */
export function untilTestEnds(running: RunningCli): RunningCli {
  onTestFinished(async () => {
    await running.stop()
  })
  return running
}

/** That of the file which runs, if it starts one for all of its tests. */
export let practice: Practice

export function startPracticeForAll(...options: Parameters<typeof startPractice>): void {
  beforeAll(async () => {
    practice = await startPractice(...options)
  })
  afterAll(() => practice.stop())
}
