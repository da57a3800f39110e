import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { Place } from '../../shared/contract/places.ts'
import type { PlaceRegistry } from '../page/place-registry.ts'

/** Registers the files and folders at these paths. Relative paths, missing files and anything else are left out. */
export async function placesAt(registry: PlaceRegistry, paths: readonly string[]): Promise<Place[]> {
  const places: Place[] = []
  for (const path of paths) {
    const kind = isAbsolute(path) ? await kindOf(path) : null
    if (kind !== null) places.push(registry.register(path, kind))
  }
  return places
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
