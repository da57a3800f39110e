import type { Entry } from './archive.mjs'
export function collectNpm(): Promise<Entry[]>
