import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { FaultWorld, type StartOptions } from '../faults/fault-world.ts'
import { until } from '../until.ts'
import { PostgresServer } from './postgres.ts'

export let server: PostgresServer
export let world: FaultWorld
export let database: Awaited<ReturnType<PostgresServer['database']>>

/** At the top of a group: a server for all of its tests. The world of each is ended after it. */
export function startServerForAll(): void {
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server?.stop())
  afterEach(() => world.end())
}

/** A ledger and a world for a test. */
export async function begin(options: Parameters<typeof FaultWorld.make>[0] = {}): Promise<void> {
  database = await server.database()
  world = await FaultWorld.make(options)
}

/** That of a computer with a journal of its own. */
export function dataDirOf(name: string): string {
  const dataDir = join(world.base, `data-of-${name}`)
  mkdirSync(dataDir, { recursive: true })
  if (!world.dataDirs.includes(dataDir)) world.dataDirs.push(dataDir)
  return dataDir
}

export const computer = (name: string, more: StartOptions = {}): StartOptions => ({
  dataDir: dataDirOf(name),
  ledgerPassword: database.password,
  ...more,
  overrides: { ledgerUrl: database.url, computerName: name, ...more.overrides },
})

export async function atRest(names: readonly string[], patienceMs?: number): Promise<void> {
  for (const name of names)
    await until(`every picture has ended at ${name}`, () => world.isAtRest(undefined, dataDirOf(name)), {
      describe: () => `${world.reasons(dataDirOf(name)).join(', ')} ${world.said.slice(-20).join('')}`,
      ...(patienceMs !== undefined && { patienceMs }),
    })
}
