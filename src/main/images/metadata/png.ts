import { deflateSync, inflateSync } from 'node:zlib'
import { pngChunks, pngOf, PNG_SIGNATURE as SIGNATURE, PNG_SIGNATURE_BYTES, type PngChunk } from '../png-chunks.ts'
import { MalformedImage, nothingFound, withoutExifPrefix } from './container.ts'
import type { Container, Density, FoundMetadata } from './container.ts'
import { iptcIn, photoshopResources } from './iptc.ts'
import { textOfBytes } from './text-of-bytes.ts'

const XMP_KEYWORD = 'XML:com.adobe.xmp'
/** Compressed texts beyond this total are not read: decompression bombs, or at least no texts with credits. */
const MAX_TEXT_BYTES = 8 * 1_048_576

/** Chunks that affect rendering: pixels, palettes, transparency, colours, physical size and animation. */
const PICTURE = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI mDCv cLLi bKGD hIST pHYs acTL fcTL fdAT'.split(' '),
)

export const png: Container = {
  read(bytes) {
    const found = nothingFound()
    const inflate = inflaterOf(MAX_TEXT_BYTES)
    for (const chunk of chunksOf(bytes).chunks) readChunk(chunk, found, inflate)
    return found
  },

  end: (bytes) => chunksOf(bytes).end,

  rewrite(bytes, { exif, xmp, density, profile }, keeps) {
    const { chunks, end } = chunksOf(bytes)
    const isReplaced = (chunk: PngChunk): boolean =>
      (exif !== undefined && isExif(chunk)) ||
      (xmp !== undefined && isXmp(chunk)) ||
      (density !== undefined && chunk.name === 'pHYs') ||
      (profile !== undefined && ['iCCP', 'sRGB'].includes(chunk.name))
    const kept = chunks.filter((chunk) => !isReplaced(chunk) && (keeps === 'all' || PICTURE.has(chunk.name)))
    const [header, ...others] = kept.map((chunk) => (keeps === 'all' ? chunk.whole : plainProfile(chunk)))
    const made = pngOf([
      ...(profile ? [{ name: 'iCCP', data: Buffer.concat([Buffer.from('icc\0\0'), deflateSync(profile)]) }] : []),
      ...(density ? [{ name: 'pHYs', data: bytesOfDensity(density) }] : []),
      ...(exif ? [{ name: 'eXIf', data: exif }] : []),
      // No compression, no language, no translated keyword.
      ...(xmp ? [{ name: 'iTXt', data: Buffer.concat([Buffer.from(`${XMP_KEYWORD}\0\0\0\0\0`), xmp]) }] : []),
    ]).subarray(PNG_SIGNATURE_BYTES)
    return Buffer.concat([SIGNATURE, header!, made, ...others, ...(keeps === 'all' ? [bytes.subarray(end)] : [])])
  },
}

function densityIn(data: Buffer): Density {
  return { unit: data[8]!, across: data.readUInt32BE(0), down: data.readUInt32BE(4) }
}

function bytesOfDensity({ unit, across, down }: Density): Buffer {
  const data = Buffer.alloc(9, unit)
  data.writeUInt32BE(across, 0)
  data.writeUInt32BE(down, 4)
  return data
}

function chunksOf(bytes: Buffer): { chunks: PngChunk[]; end: number } {
  if (!bytes.subarray(0, PNG_SIGNATURE_BYTES).equals(SIGNATURE)) throw new MalformedImage('no signature')
  const chunks: PngChunk[] = []
  let end = PNG_SIGNATURE_BYTES
  for (const chunk of pngChunks(bytes)) {
    if (chunks.length === 0 && chunk.name !== 'IHDR') throw new MalformedImage('no header')
    end += chunk.whole.length
    chunks.push(chunk)
    if (chunk.name === 'IEND') return { chunks, end }
  }
  throw new MalformedImage('no end')
}

function readChunk({ name, data }: PngChunk, found: FoundMetadata, inflate: Inflater): void {
  if (name === 'pHYs' && data.length === 9) found.density ??= densityIn(data)
  else if (name === 'eXIf') found.exif ??= withoutExifPrefix(data)
  else if (name === 'tEXt') readText(keywordOf(data), data.subarray(keywordOf(data).length + 1), found)
  else if (name === 'zTXt') {
    const keyword = keywordOf(data)
    readText(keyword, inflate(data.subarray(keyword.length + 2)), found)
  } else if (name === 'iTXt') readInternationalText(data, found, inflate)
}

/** Keyword, compression flag and method, language, translated keyword, text. */
function readInternationalText(data: Buffer, found: FoundMetadata, inflate: Inflater): void {
  const keyword = keywordOf(data)
  const flagAt = keyword.length + 1
  const languageEnd = data.indexOf(0, flagAt + 2)
  const translatedEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1)
  if (translatedEnd < 0) return
  const value = data.subarray(translatedEnd + 1)
  readText(keyword, data[flagAt] === 1 ? inflate(value) : value, found)
}

/** Only one kind of text has UTF-8 by the specification; programs write it into all. */
function readText(keyword: string, value: Buffer, found: FoundMetadata): void {
  if (keyword === '') return
  if (keyword === XMP_KEYWORD) found.xmp.push(value)
  else if (/^Raw profile type /i.test(keyword)) readRawProfile(keyword.slice(17).toLowerCase(), value, found)
  else found.texts.push({ keyword, value: textOfBytes(value) })
}

/** ImageMagick's format: a name, the number of bytes, and the bytes in hexadecimal. */
function readRawProfile(name: string, value: Buffer, found: FoundMetadata): void {
  const match = /^\n[^\n]*\n\s*\d+\n([0-9a-f\s]*)/i.exec(value.toString('latin1'))
  if (match === null) return
  const profile = Buffer.from(match[1]!.replace(/\s+/g, ''), 'hex')
  if (name === 'xmp') found.xmp.push(profile)
  else if (name === 'exif') found.exif ??= withoutExifPrefix(profile)
  else if (name === 'iptc' || name === '8bim') {
    const resources = photoshopResources(profile)
    if (found.photoshop.size === 0) found.photoshop = resources
    found.iptc ??= iptcIn(resources) ?? (profile[0] === 0x1c ? profile : null)
  } else if (name === 'app1') {
    const xmpStart = 'http://ns.adobe.com/xap/1.0/\0'
    if (profile.toString('latin1', 0, xmpStart.length) === xmpStart) found.xmp.push(profile.subarray(xmpStart.length))
    else found.exif ??= withoutExifPrefix(profile)
  }
}

function keywordOf(data: Buffer): string {
  const end = data.indexOf(0)
  return end < 1 || end > 79 ? '' : data.toString('latin1', 0, end)
}

type Inflater = (data: Buffer) => Buffer

/** Returns nothing for invalid data, and once the limit is used up. */
function inflaterOf(mostBytes: number): Inflater {
  let left = mostBytes
  return (data) => {
    if (left <= 0) return Buffer.alloc(0)
    try {
      const made = inflateSync(data, { maxOutputLength: left })
      left -= made.length
      return made
    } catch (error) {
      // A text that is too long was decompressed up to the limit.
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') left = 0
      return Buffer.alloc(0)
    }
  }
}

function isExif({ name, data }: PngChunk): boolean {
  return name === 'eXIf' || (isText(name) && /^Raw profile type (?:exif|app1)$/i.test(keywordOf(data)))
}

const isText = (name: string): boolean => ['tEXt', 'zTXt', 'iTXt'].includes(name)

function isXmp({ name, data }: PngChunk): boolean {
  return name === 'iTXt' && keywordOf(data) === XMP_KEYWORD
}

/** Removes the name of a colour profile, which is free text. */
function plainProfile({ name, data, whole }: PngChunk): Buffer {
  const nameEnd = data.indexOf(0)
  if (name !== 'iCCP' || nameEnd < 0) return whole
  const plain = Buffer.concat([Buffer.from('icc'), data.subarray(nameEnd)])
  return pngOf([{ name, data: plain }]).subarray(PNG_SIGNATURE_BYTES)
}
