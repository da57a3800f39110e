import type { Release } from './release.mjs'

export function flatpakManifest(release: Release): [string, string]
