import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { JobView } from '../../src/shared/contract/jobs.ts'
import type { Job } from '../../src/shared/jobs/job.ts'
import { Sidecar } from '../../src/shared/jobs/sidecar.ts'
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

/** A place in the folder of its pictures. */
export const at = (name: string) => join(world.pictures, name)
export const read = (name: string) => readFile(at(name))
export async function put(name: string, bytes: Uint8Array): Promise<string> {
  await writeFile(at(name), bytes)
  return at(name)
}
export const names = async () => (await readdir(world.pictures)).sort()
export const sidecarOf = async (picture = 'a.jpg') =>
  Sidecar.parse(JSON.parse((await read(`${picture}.alt.json`)).toString()))
/** The results that its sidecar lists. */
export const listed = async (picture?: string) => (await sidecarOf(picture)).outputs.map(({ name }) => name).toSorted()
/** What was made since, but for sidecars. */
export const madeSince = async (before: Record<string, string>) =>
  Object.keys(await world.listing())
    .filter((name) => !(name in before) && !name.endsWith('.alt.json'))
    .toSorted()
/** What became of each picture, by its name. */
export const outcomes = (jobs: readonly JobView[]) =>
  Object.fromEntries(
    jobs.map(({ source, state, reason, notes }) => [
      source.path.slice(world.pictures.length + 1),
      [state, reason?.code ?? null, notesOf({ notes })],
    ]),
  )
export const notesOf = (job: Pick<Job, 'notes'> | undefined) =>
  job!.notes.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`))
