import type { OutputType } from '../../shared/recipe.ts'

/** As many bytes as `sniffImageType` may look at. */
export const SNIFF_BYTES = 64

const AVIF_BRANDS = new Set(['avif', 'avis'])

/** The type that the first bytes claim; a claim only, the decode decides. Null for anything Hangar neither sends nor writes. */
export function sniffImageType(head: Uint8Array): OutputType | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFF_BYTES))
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg'
  if (bytes.length >= 8 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  if (bytes.toString('latin1', 4, 8) === 'ftyp' && hasAvifBrand(bytes)) return 'avif'
  return null
}

/** Major brand, then, after the minor version, the compatible ones. */
function hasAvifBrand(bytes: Buffer): boolean {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) {
    if (AVIF_BRANDS.has(bytes.toString('latin1', at, at + 4))) return true
  }
  return false
}
