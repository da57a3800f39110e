export const MOST_BYTES: number
export function firstLoadSize(dir: string): {
  files: { name: string; bytes: number; gzipBytes: number }[]
  gzipBytes: number
}
