import { afterEach, beforeEach } from 'vitest'
import type { PracticeOptions } from '../../src/practice/protocol.ts'
import { EngineWorld } from './engine-harness.ts'

/** That of the test which runs, in a file that opens one for each. */
export let world: EngineWorld

/** At the top of a file, before its own hooks. */
export function openWorldForEachTest(options?: PracticeOptions): void {
  beforeEach(async () => {
    world = await EngineWorld.open(options)
  })
  afterEach(() => world.close())
}

/** For a test whose service is another one. */
export async function reopenWorld(options?: PracticeOptions): Promise<void> {
  await world.close()
  world = await EngineWorld.open(options)
}
