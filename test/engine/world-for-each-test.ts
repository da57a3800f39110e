import { afterEach, beforeEach } from 'vitest'
import type { Engine } from '../../src/main/engine/start-engine.ts'
import type { PracticeOptions } from '../../src/practice/protocol.ts'
import { OddService } from '../odd-service.ts'
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

export let service: OddService
export let engine: Engine

/** An engine whose image service is an odd one, and these pictures. */
export function openOddWorldForEachTest(pictures: readonly string[], dataDir = () => world.newDataFolder()): void {
  openWorldForEachTest()
  beforeEach(async () => {
    service = await OddService.open()
    await world.secrets.set('image', service.origin, 'key')
    await startOddEngine(dataDir())
    for (const [seed, name] of pictures.entries()) await world.addPicture(name, seed)
  })
  afterEach(() => service.close())
}

export async function startOddEngine(dataDir: string): Promise<void> {
  engine = await world.engine(dataDir, { overrides: { imageBaseUrl: service.baseUrl } })
}

/** For a test whose service is another one. */
export async function reopenWorld(options?: PracticeOptions): Promise<void> {
  await world.close()
  world = await EngineWorld.open(options)
}
