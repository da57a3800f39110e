import type { Manifest } from '../release-faults.mjs'

export interface ReleaseFile {
  name: string
  url: string
  sha256: string
  size: number
}
export interface Release {
  version: string
  date: string
  homepage: string
  bugs: string
  download: string
  license: string
  publisher: string
  files: Record<'windowsX64' | 'macArm64' | 'macX64' | 'linuxX64' | 'npm', ReleaseFile> &
    Partial<Record<'windowsArm64' | 'linuxArm64', ReleaseFile>>
}
export function describeRelease(given: {
  manifest: Manifest & { license: string }
  changelog: string
  files: readonly string[]
}): { faults: string[]; release?: undefined } | { faults?: undefined; release: Release }
