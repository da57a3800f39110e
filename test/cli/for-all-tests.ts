import { afterAll, beforeAll } from 'vitest'
import { Folders, startPractice, type Practice } from './harness.ts'

/** Gone after the last test of the file. */
export function foldersForAll(): Folders {
  const folders = new Folders()
  afterAll(() => folders.removeAll())
  return folders
}

/** That of the file which runs, if it starts one for all of its tests. */
export let practice: Practice

export function startPracticeForAll(...options: Parameters<typeof startPractice>): void {
  beforeAll(async () => {
    practice = await startPractice(...options)
  })
  afterAll(() => practice.stop())
}
