import diagnostics from 'node:diagnostics_channel'
import { mkdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { FaultWorld } from '../../test/faults/fault-world.ts'
import type { PostgresServer } from '../../test/team/postgres.ts'
import { until } from '../../test/until.ts'

const PATIENCE_MS = 600_000

/** What engines asked of the database; `computers: 0` is one without a ledger. */
export interface PictureCost {
  pictures: number
  /** By name of the function, as PostgreSQL counted them. */
  statements: Record<string, number>
  /** Connections to anything but the image service, with the administrator's to the ledger. */
  otherConnections: number
}

/** Whole engines in this process, with pictures that all of them have, at the limit that the service has. */
export async function measurePictures(
  server: PostgresServer,
  { computers, pictures, limit }: { computers: number; pictures: number; limit: number },
): Promise<PictureCost> {
  const world = await FaultWorld.make({ overrides: { requestsPerMinute: limit } })
  const servicePort = Number(new URL(world.practice.imageBaseUrl).port)
  let otherConnections = 0
  const count = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.once('connect', () => {
      if (socket.remotePort !== servicePort) otherConnections += 1
    })
  }
  diagnostics.subscribe('net.client.socket', count)
  try {
    for (let nth = 0; nth < pictures; nth += 1) await world.add()
    const database = computers === 0 ? null : await server.database()
    const dataDirs = Array.from({ length: Math.max(1, computers) }, (_, n) => join(world.base, `data-of-${n}`))
    const running = []
    for (const dataDir of dataDirs) {
      mkdirSync(dataDir)
      const ledger = database && { ledgerPassword: database.password, overrides: { ledgerUrl: database.url } }
      running.push(await world.open({ dataDir, ...ledger }))
    }
    if (database !== null) {
      for (const { engine } of running) await until('the ledger answers', () => engine.unreachable() === null)
      await server.query('SELECT pg_stat_statements_reset()')
    }
    for (const { engine } of running) await engine.call('intake.add', world.everything)
    for (const dataDir of dataDirs)
      await until('all have ended', () => world.isAtRest(undefined, dataDir), { patienceMs: PATIENCE_MS })
    const statements = database === null ? {} : await statementsOf(server, database.name)
    for (const each of running) await each.close(5000)
    return { pictures, statements, otherConnections }
  } finally {
    diagnostics.unsubscribe('net.client.socket', count)
    await world.end()
  }
}

/** Those that computers send; what the functions do inside is not counted. */
async function statementsOf(server: PostgresServer, database: string): Promise<Record<string, number>> {
  const rows = await server.query(
    `SELECT query, calls::integer AS calls FROM pg_stat_statements
     JOIN pg_database ON pg_database.oid = dbid WHERE datname = '${database}'`,
  )
  const calls: Record<string, number> = {}
  for (const { query, calls: each } of rows) {
    const name = /hangar\.(\w+)/.exec(String(query))?.[1] ?? 'other'
    calls[name] = (calls[name] ?? 0) + Number(each)
  }
  return calls
}
