import type { Entry } from '../archive.mjs'
export const DEB_ARCH: Record<string, string>
export function asDebianVersion(version: string): string
export function changelog(name: string, debVersion: string): Buffer
export function packed(text: string | Buffer): Buffer
export function debianPackage(made: {
  fields: Record<string, string>
  summary: string
  description: readonly string[]
  files: readonly Entry[]
  scripts?: readonly Entry[]
  conffiles?: readonly string[]
  level?: number | undefined
}): Buffer
