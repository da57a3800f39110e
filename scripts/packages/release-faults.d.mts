export interface Manifest {
  version: string
  author?: string
  homepage?: string
  repository?: string | { url: string }
  bugs?: string | { url: string }
}
export function projectFaults(manifest: Manifest, changelog: string): string[]
export function packageFault(file: string): string | null
