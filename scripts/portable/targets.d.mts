export const TARGETS: Record<string, { os: string; cpu: string; node: string; binaries: string }>
export function ownTarget(machine: { platform: string; arch: string }): string | null
