import { join } from 'node:path'

/** The absolute path of a file below `resources`, which is beside `out` in a checkout and in a package alike. */
export function resourcePath(...parts: string[]): string {
  return join(import.meta.dirname, '../../resources', ...parts)
}
