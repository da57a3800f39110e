import type { Release } from './release.mjs'

export function homebrewManifests(release: Release): [string, string][]
