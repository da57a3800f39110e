import { stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import type { Place } from '../../shared/contract/places.ts'
import type { PlaceRegistry } from '../page/place-registry.ts'

/** Registers the files and folders at these paths. `missing`: the names of all others, of relative paths too. */
export async function placesAt(
  registry: PlaceRegistry,
  paths: readonly string[],
): Promise<{ places: Place[]; missing: string[] }> {
  const places: Place[] = []
  const missing: string[] = []
  for (const path of paths) {
    const kind = isAbsolute(path) ? await kindOf(path) : null
    if (kind === null) missing.push(basename(path) || path)
    else places.push(registry.register(path, kind))
  }
  return { places, missing }
}

async function kindOf(path: string): Promise<Place['kind'] | null> {
  try {
    const found = await stat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null
  } catch {
    // Removed since it was named, or never there.
    return null
  }
}
