import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildEntry } from '../../shared/runtime/ports.ts'

/** Where each child's entry is, relative to this folder (run from source) and to out/main (built, all files side by side). */
const PLACES: Record<ChildEntry, { source: string; built: string }> = {
  'image-worker': { source: '../image-worker.ts', built: 'image-worker.js' },
  'keychain-probe': { source: '../secrets/keychain-probe.ts', built: 'keychain-probe.js' },
  practice: { source: '../../practice/main.ts', built: 'practice.js' },
}

/** The absolute path of the module to start for `entry`; by default as this program itself was started. */
export function entryPoint(entry: ChildEntry, folder = import.meta.dirname): string {
  const { source, built } = PLACES[entry]
  const builtPath = join(folder, built)
  return existsSync(builtPath) ? builtPath : join(folder, source)
}
