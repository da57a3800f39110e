import type { ImageType } from '../../shared/recipes/recipe.ts'

/** As many bytes as `sniffImageType` may look at. */
export const SNIFF_BYTES = 64

const AVIF_BRANDS = /^avi[fs]$/
/** Of files with pictures in HEVC; the last two say no more than that the file holds pictures of some kind. */
const HEIC_BRANDS = /^(?:hei[cxms]|hev[cmsx]|mif[12]|msf1)$/
/** Of either order of bytes; the latter two are BigTIFF. */
const TIFF = new Set(['II*\0', 'MM\0*', 'II+\0', 'MM\0+'])

/** The type that the first bytes claim; a claim only, the decode decides. Null for anything Hangar neither takes nor writes. */
export function sniffImageType(head: Uint8Array): ImageType | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFF_BYTES))
  if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg'
  if (bytes.length >= 8 && bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return typeByBrand(bytes)
  // A camera's raw file begins like one.
  if (TIFF.has(bytes.toString('latin1', 0, 4)) && bytes.toString('latin1', 8, 10) !== 'CR') return 'tiff'
  return null
}

/** The number of bytes that `sniffOtherFormat` examines: text may begin with a declaration and a comment. */
const TEXT_BYTES = 1024
const FTYP_FORMATS: readonly [RegExp, string][] = [
  [/^mif3$/, 'HEIF'],
  [/^(?:isom|iso\d|mp4\d|M4V |qt {2}|avc1|3g\w\w)$/, 'MP4'],
  [/^(?:crx )$/, 'CR3'],
]
const STARTS: readonly [start: string, format: string][] = [
  ['II*\0', 'CR2'],
  ['II\xbc\x01', 'JPEG XR'],
  ['\0\0\x01\0', 'ICO'],
  ['8BPS', 'PSD'],
  ['\xff\x0a', 'JPEG XL'],
  ['\0\0\0\x0cJXL ', 'JPEG XL'],
  ['\0\0\0\x0cjP  ', 'JPEG 2000'],
  ['\xff\x4f\xff\x51', 'JPEG 2000'],
  ['%PDF-', 'PDF'],
  ['PK\x03\x04', 'ZIP'],
]
const PATTERNS: readonly [RegExp, format: string][] = [
  // Behind the length of the file, which may be anything, a BMP has four zeros.
  [/^BM[^]{4}\0\0\0\0/, 'BMP'],
  [/^P[1-7]\s/, 'Netpbm'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg[\s>/]/i, 'SVG'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head)[\s>]/i, 'HTML'],
]

/** The name of a type that is not taken, by its first bytes; null for what is not known either. */
export function sniffOtherFormat(bytes: Buffer): string | null {
  if (bytes.toString('latin1', 4, 8) === 'ftyp') {
    const brands = brandsOf(bytes.subarray(0, SNIFF_BYTES))
    return FTYP_FORMATS.find(([pattern]) => brands.some((brand) => pattern.test(brand)))?.[1] ?? null
  }
  const start = bytes.toString('latin1', 0, TEXT_BYTES)
  const known = STARTS.find(([sign]) => start.startsWith(sign)) ?? PATTERNS.find(([pattern]) => pattern.test(start))
  return known?.[1] ?? null
}

function typeByBrand(bytes: Buffer): ImageType | null {
  const brands = brandsOf(bytes)
  if (brands.some((brand) => AVIF_BRANDS.test(brand))) return 'avif'
  return brands.some((brand) => HEIC_BRANDS.test(brand)) ? 'heic' : null
}

/** Major brand, then, after the minor version, the compatible ones. */
function brandsOf(bytes: Buffer): string[] {
  const brands: string[] = []
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(bytes.toString('latin1', at, at + 4))
  return brands
}
