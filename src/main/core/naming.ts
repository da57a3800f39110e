import { basename } from 'node:path'
import { PICTURE_SUFFIXES } from '../../shared/jobs/picture-name.ts'
import { RESERVED_NAME } from '../../shared/recipes/name-template.ts'
import type { OutputType } from '../../shared/recipes/recipe.ts'

/** Bytes of UTF-8 that a name may have on nearly every file system. */
export const USUAL_NAME_ROOM = 255
/** With less, nothing would be left of a name besides its suffix and number and what is left free. */
export const MIN_NAME_ROOM = 110
/** Longest name of a result, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 180
/** Left free in a name where names are short, for what other programs put around it. */
const SPARE_BYTES = 66

/** Reserved for `-9999`, so that adding a number does not change the stem. */
const NUMBER_ROOM_BYTES = 5
/** The longest things that follow a stem: `-optimized` (a width such as `-16383w` is shorter), a number and `.jpeg`. */
const TAIL_ROOM_BYTES = 10 + NUMBER_ROOM_BYTES + 5

const OPTIMIZED_SUFFIX = '-optimized'

/** File name extensions of the types that Hangar reads or writes; it writes the first. */
const EXTENSIONS: Readonly<Record<OutputType, readonly [string, ...string[]]>> = PICTURE_SUFFIXES

/** Extensions that a suggested name may have; they say nothing about the bytes. */
export const IMAGE_EXTENSION = new RegExp(`\\.(?:${Object.values(PICTURE_SUFFIXES).flat().join('|')}|bmp|svg)$`, 'i')

/** Control, format (bidi, zero width), surrogate, private and unassigned code points, and others without a glyph. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\uFFFC\uFFFD]/gu
/** Not allowed in a name on Windows or macOS, or in a URL path. */
export const FORBIDDEN = /[<>:"/\\|?*]/g
/** A leading dot hides the file, a dash looks like an option, a tilde is expanded, a combining mark has no base character. */
export const BAD_START = /^(?:[.\-~\s]|\p{M})+/u
export const BAD_END = /[.\-\s]+$/u

/** A safe file name without extension from untrusted text: one path component, nothing invisible or reserved. Null if nothing is left. */
export function safeBaseName(text: string): string | null {
  const lastPart = text.split(/[/\\]/).at(-1) ?? ''
  let name = lastPart.toWellFormed()
  // One step can create work for another (removing a mark may expose a dot), so they are repeated until nothing changes.
  for (let round = 0; round < 20; round++) {
    const before = name
    name = tidy(withoutImageExtension(name))
    name = cutToBytes(name, MAX_NAME_BYTES - TAIL_ROOM_BYTES)
    if (name === before) return /[\p{L}\p{N}\p{S}]/u.test(name) ? name : null
  }
  return null
}

function tidy(name: string): string {
  const seen = name
    .replace(/[\t-\r\p{Z}]+/gu, '-')
    .replace(UNSEEN, '')
    .replace(FORBIDDEN, '-')
    .replace(/-{2,}/g, '-')
  const trimmed = seen.replace(BAD_START, '').replace(BAD_END, '').normalize('NFC')
  return RESERVED_NAME.test(trimmed) ? `_${trimmed}` : trimmed
}

/** A name of an existing file or folder as every system can have it: one path component, never `.` or `..`. */
export function portableName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '-')
    .replace(FORBIDDEN, '-')
    .replace(/[. ]+$/, (end) => '_'.repeat(end.length))
  return RESERVED_NAME.test(plain) ? `_${plain}` : plain
}

function withoutImageExtension(name: string): string {
  return name.replace(/[.\s]+$/u, '').replace(IMAGE_EXTENSION, '')
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The longest prefix of `text` that fits, never splitting a grapheme. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  let usedBytes = 0
  let cut = ''
  for (const { segment } of graphemes.segment(text)) {
    usedBytes += Buffer.byteLength(segment)
    if (usedBytes > maxBytes) break
    cut += segment
  }
  return cut
}

/**
 * The name of an output (docs/pictures.md, "Results beside the original"): `photo-optimized.jpg`, `photo.webp`, `photo-640w.webp`. `n`
 * counts from 1 and shows from 2 on. The source's spelling of the extension is kept for the same type. `seoName` is untrusted. `room`: how many
 * bytes a name may have there. `stem` makes the part before the suffix, in place of either name.
 */
export function composeFileName(wanted: {
  sourceName: string
  seoName: string | null
  role: 'optimized' | 'converted' | 'variant'
  type: OutputType
  /** Of a variant, in pixels. */
  width?: number
  n: number
  room?: number
  stem?: (maxBytes: number) => string
}): string {
  const { sourceName, seoName, role, type, width, n, room = USUAL_NAME_ROOM, stem: makeStem } = wanted
  const source = splitName(sourceName)
  const suffix = role === 'optimized' ? OPTIMIZED_SUFFIX : width === undefined ? '' : `-${width}w`
  const extension = `.${(EXTENSIONS[type] as readonly string[]).includes(source.extension.toLowerCase()) ? source.extension : EXTENSIONS[type][0]}`
  const stemBytes = Math.min(MAX_NAME_BYTES, room - SPARE_BYTES) - NUMBER_ROOM_BYTES - suffix.length - extension.length
  // A backslash may be part of a name here but is a separator elsewhere, and other computers read the sidecars.
  const named =
    makeStem?.(stemBytes) ?? (seoName === null ? null : safeBaseName(seoName)) ?? source.stem.replaceAll('\\', '-')
  const stem = role === 'optimized' ? withoutOptimizedSuffix(named) : named
  const number = n >= 2 ? `-${n}` : ''
  return `${cutStem(stem, stemBytes)}${suffix}${number}${extension}`
}

function cutStem(stem: string, maxBytes: number): string {
  const cut = cutToBytes(stem, maxBytes)
  return cut === stem ? stem : cut.replace(BAD_END, '') || 'picture'
}

/** Keeps a picture that is already called `…-optimized` from getting the suffix twice. */
function withoutOptimizedSuffix(stem: string): string {
  return stem.replace(/(?:-optimized)+$/i, '') || stem
}

/** The nth of the names that are tried where one is taken: `photo.webp`, `photo-2.webp`. */
export function numberedName(name: string, n: number): string {
  const { stem, extension } = splitName(name)
  return n === 1 ? name : `${stem}-${n}${extension === '' ? '' : '.'}${extension}`
}

/** The stem, and the extension without its dot. A leading dot does not start an extension. */
export function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) }
}

/** Names that denote one file on a system that ignores case or Unicode normalisation have one key, since a folder may be moved to one. */
export function collisionKey(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** Longer runs of digits are compared as if they had this many. */
const MAX_DIGITS = 99

/** Compared byte by byte, it puts `img_2` before `IMG_10`, and `Tür` beside `tur`. Independent of the language: the journal stores it. */
export function nameKey(path: string): string {
  return basename(path)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => {
      const number = digits.replace(/^0+(?=\d)/, '')
      return String(Math.min(MAX_DIGITS, number.length)).padStart(2, '0') + number
    })
}
