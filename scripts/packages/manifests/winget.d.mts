import type { Release } from './release.mjs'

export function wingetManifests(release: Release): [string, string][]
