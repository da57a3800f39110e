import type { Entry } from './archive.mjs'
export function writePackage(made: { folder?: string; name: string; bytes: Buffer; entries: readonly Entry[] }): void
