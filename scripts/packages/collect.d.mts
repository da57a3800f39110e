import type { Entry } from './archive.mjs'
interface Collected {
  entries: Entry[]
  remove: () => void
}
export function collect(target: string, nodeFolder?: string): Promise<Collected>
export function collectPortable(target: string, version: string, nodeFolder?: string): Promise<Collected>
