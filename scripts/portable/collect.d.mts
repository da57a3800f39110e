import type { Entry } from './archive.mjs'
export function collect(target: string, version: string): Promise<{ entries: Entry[]; remove: () => void }>
