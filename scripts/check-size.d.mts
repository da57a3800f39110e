export const MAX_BYTES: number
interface Size {
  name: string
  bytes: number
  gzipBytes: number
}
export function firstLoadSize(dir: string): { files: Size[]; texts: Size[]; gzipBytes: number }
