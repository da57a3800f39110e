import { folderBelow } from './fit-exif.ts'
import { TiffBlock } from './tiff-block.ts'

/** Exif 3.0, tables of tags; the main directory is where the header of the block points to. */
const MAIN_POINTER_AT = 4
const EXIF_POINTER = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const DATE_TIME_DIGITIZED = 0x9004
const SIGNATURE = 'Exif\0\0'

/**
 * When a picture was taken, by its camera's clock and without a zone (`YYYY-MM-DDTHH:mm:ss`), from an EXIF block with or without its
 * signature. Null where it does not say, or says no date (`0000:00:00 00:00:00`). Untrusted bytes: nothing is thrown.
 */
export function captureTime(exif: Buffer): string | null {
  const isSigned = exif.toString('latin1', 0, SIGNATURE.length) === SIGNATURE
  const block = TiffBlock.of(isSigned ? exif.subarray(SIGNATURE.length) : exif)
  const main = block?.folder(MAIN_POINTER_AT) ?? null
  const folder = block === null || main === null ? null : folderBelow(block, main, EXIF_POINTER)
  if (block === null || folder === null) return null
  for (const tag of [DATE_TIME_ORIGINAL, DATE_TIME_DIGITIZED]) {
    const entry = block.find(folder, tag)
    const value = entry === undefined ? null : block.valueOf(entry)
    if (value === null || value.sizeBytes > 100) continue
    const time = timeIn(value.bytes.toString('latin1', value.at, value.at + value.sizeBytes))
    if (time !== null) return time
  }
  return null
}

const TIME = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/

function timeIn(text: string): string | null {
  const parts = TIME.exec(text)?.slice(1)
  if (parts === undefined) return null
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] = parts
  const isDay = Number(year) > 0 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  return isDay && isTime ? `${year}-${month}-${day}T${hour}:${minute}:${second}` : null
}
