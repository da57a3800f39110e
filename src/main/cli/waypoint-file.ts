import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Waypoint } from '../../shared/chargers/waypoints.ts'
import { MAX_IMPORT_BYTES } from '../../shared/recipes/limits.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { readWaypoints } from '../core/read-waypoints.ts'

/** The waypoints in a file. Throws `bad_request` for one that cannot be read, is too large or has none. */
export async function readWaypointFile(cwd: string, file: string): Promise<Waypoint[]> {
  const bytes = await readFile(resolve(cwd, file)).catch((error: unknown) => {
    throw new AppError('bad_request', say('places_unreadable', { why: raw(String(error)) }), { cause: error })
  })
  if (bytes.length > MAX_IMPORT_BYTES)
    throw new AppError('bad_request', say('places_too_large', { most: MAX_IMPORT_BYTES / 1_000_000 }))
  return readWaypoints(bytes)
}
