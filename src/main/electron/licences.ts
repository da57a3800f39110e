import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcePath } from './resource-path.ts'

/**
 * Hangar's licence and those of everything that is bundled, as one file that other programs can open: what a package holds them in
 * is none. Returns its path.
 */
export function licenceFile(folder: string): string {
  const out = join(import.meta.dirname, '..')
  const parts = [resourcePath('..', 'LICENSE'), join(out, 'main/licenses.md'), join(out, 'renderer/licenses.md')]
  const path = join(folder, 'licences.txt')
  writeFileSync(path, parts.map((part) => readFileSync(part, 'utf8')).join('\n\n'))
  return path
}
