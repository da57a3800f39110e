import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { oncePerName, readWaypoints, type ReadWaypoints } from '../core/read-waypoints.ts'
import type { Cli } from './cli-context.ts'

const SHOWN = 20

/** The waypoints in files; standard error names those that are left out. Throws `bad_request` for a file that cannot be read, is too large or has none. */
export async function readWaypointFiles({ cwd, terminal }: Cli, files: readonly string[]): Promise<ReadWaypoints> {
  let read: ReadWaypoints = { places: [], leftOut: [] }
  for (const file of files) {
    const { places, leftOut } = await readOne(resolve(cwd, file))
    read = oncePerName([...read.places, ...places], [...read.leftOut, ...leftOut])
  }
  for (const { why } of read.leftOut.slice(0, SHOWN)) terminal.err(englishText(why))
  if (read.leftOut.length > SHOWN) terminal.err(`… and ${read.leftOut.length - SHOWN} more waypoints left out.`)
  return read
}

async function readOne(path: string): Promise<ReadWaypoints> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new AppError('bad_request', say('places_unreadable', { why: raw(String(error)) }), { cause: error })
  })
  if (bytes.length > MAX_IMPORT_BYTES)
    throw new AppError('bad_request', say('places_too_large', { most: MAX_IMPORT_BYTES / 1_000_000 }))
  return readWaypoints(bytes)
}
