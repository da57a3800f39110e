import { withoutExifPrefix } from './container.ts'
import { readFolders } from './exif.ts'

/** Exif 3.0, tables of tags. */
const DATE_TIME_ORIGINAL = 0x9003
const DATE_TIME_DIGITIZED = 0x9004

/**
 * When a picture was taken, by its camera's clock and without a zone (`YYYY-MM-DDTHH:mm:ss`), from an EXIF block with or without its
 * signature. Null where it does not say, or says no date (`0000:00:00 00:00:00`). Untrusted bytes: nothing is thrown.
 */
export function captureTime(exif: Buffer): string | null {
  const entries = readFolders(withoutExifPrefix(exif))?.exif ?? []
  const times = [DATE_TIME_ORIGINAL, DATE_TIME_DIGITIZED].map((tag) => {
    const value = entries.find((entry) => entry.tag === tag)?.value
    return value === undefined ? null : timeIn(value.toString('latin1', 0, 100))
  })
  return times[0] ?? times[1] ?? null
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
