import { extname } from 'node:path'

/**
 * `Content-Disposition` of `GET /images/{id}/optimized`: the original base name, `-optimized`, the original extension.
 * Whatever an uploader put into the name, the header stays one line: a plain form with anything but simple characters
 * replaced, and the exact name percent-encoded (RFC 6266, RFC 8187).
 */
export function contentDisposition(originalFilename: string): string {
  const extension = extname(originalFilename)
  const base = originalFilename.slice(0, originalFilename.length - extension.length)
  const name = `${base}-optimized${extension}`.toWellFormed()
  const plain = name.replace(/[^A-Za-z0-9 ._()+-]/g, '_')
  if (plain === name) return `attachment; filename="${plain}"`
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
