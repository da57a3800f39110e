export const MAX_BYTES: number
export function firstLoadSize(dir: string): {
  files: { name: string; bytes: number; gzipBytes: number }[]
  gzipBytes: number
}
