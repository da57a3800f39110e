import { hasCoordinate, isLocationName } from './location-words.ts'
import { isCredit } from './gather.ts'
import { CC, DC, EXIF, GPANO, IPTC_CORE, IPTC_EXT, PHOTOSHOP, PLUS, textsOf, TIFF, XMP, XMP_RIGHTS } from './xmp.ts'
import type { XmpProperty, XmpValue } from './xmp.ts'

/** All others are removed: they may have location fields under any name, and a web page needs none of them. */
const KNOWN = new Set([
  DC,
  XMP_RIGHTS,
  PHOTOSHOP,
  IPTC_CORE,
  IPTC_EXT,
  PLUS,
  TIFF,
  XMP,
  EXIF,
  'http://cipa.jp/exif/1.0/',
  'http://ns.adobe.com/exif/1.0/aux/',
  GPANO,
  CC,
])
/** Thumbnails, and earlier versions of the file. */
const NEVER = /^(?:Thumbnails|MakerNote|DocumentAncestors|History)$/

const MAX_LOCATIONS = 100

/** Finds the names of these locations in a text. Very short names are ignored, because they occur as words. */
export function locationMatcher(locations: readonly string[]): (text: string) => boolean {
  const known = [...new Set(locations.map(plain))].filter((location) => location.length > 2)
  // No real picture has that many, and comparing each would take too long.
  if (known.length > MAX_LOCATIONS) return () => true
  return (text) => {
    const padded = ` ${plain(text)} `
    return known.some((location) => padded.includes(` ${location} `))
  }
}

/** Words only: case, punctuation and accents make no difference. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Keeps what reveals no location: not by the property's name, by figures, or by a place name that occurs elsewhere. */
export function withoutLocation(
  properties: readonly XmpProperty[],
  isLocation: (text: string) => boolean,
): XmpProperty[] {
  return properties.flatMap((property) => {
    const { namespace, name } = property
    if (!KNOWN.has(namespace) || isLocationName(name) || NEVER.test(name)) return []
    const isBad = isCredit(property)
      ? hasCoordinate
      : (text: string): boolean => hasCoordinate(text) || isLocation(text)
    const value = cleaned(property.value, isBad)
    return value === null ? [] : [{ namespace, name, value }]
  })
}

function cleaned(value: XmpValue, isBad: (text: string) => boolean): XmpValue | null {
  switch (value.kind) {
    case 'text':
    case 'link':
      return textsOf(value).some(isBad) || isBad('language' in value ? (value.language ?? '') : '') ? null : value
    case 'structure': {
      const fields = value.fields.flatMap((field): XmpProperty[] => {
        if (!KNOWN.has(field.namespace) || isLocationName(field.name)) return []
        const inside = cleaned(field.value, isBad)
        return inside === null ? [] : [{ ...field, value: inside }]
      })
      return fields.length === 0 ? null : { kind: 'structure', fields }
    }
    default: {
      const items = value.items.map((item) => cleaned(item, isBad)).filter((item) => item !== null)
      return items.length === 0 ? null : { kind: value.kind, items }
    }
  }
}
