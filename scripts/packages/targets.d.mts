export interface Target {
  os: string
  cpu: string
  node: string | null
  binaries: string
}
export const TARGETS: Record<string, Target>
export const FROM_NPM: string[]
export function ownTarget(machine: { platform: string; arch: string }): string | null
