import type { Entry } from '../archive.mjs'
export function systemFiles(): Promise<Entry[]>
