import type { Tags } from './programs.ts'

/** What a reader of metadata would take for words of the picture: all groups but those about the file and its colours. */
function wordsIn(tags: Tags): [name: string, value: string][] {
  return Object.entries(tags).flatMap(([key, value]) => {
    const [group = '', name = ''] = key.split(':')
    if (/^(?:ExifTool|System|File|ICC|Composite|SourceFile)/.test(group) && name !== 'Comment') return []
    return [[key, textOf(value)] as [string, string]]
  })
}

/** Of a value as exiftool gives it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

const PLACE_NAME = /gps(?!Version)|latitude|longitude|:(?:city|country|state|province|sub-?location|location)/i
/** What the judge cannot read may hold any place. */
const UNREAD = /:Unknown(?:EXIF|XMP)$/
/** Names of places that stand in a field of their own. */
const NAMES_A_PLACE = /:(?:City|Sub-location|Location|Province-State|State|Country|Country-PrimaryLocationName)$/
const SHORTEST_NAME = 4

/** Fields of the result that tell a place, by their names or since they hold a place that the original names. */
export function placesIn(original: Tags, result: Tags): string[] {
  const named = wordsIn(original)
    .filter(([key, value]) => NAMES_A_PLACE.test(key) && value.length >= SHORTEST_NAME && /\p{L}{3}/u.test(value))
    .map(([, value]) => value.toLowerCase())
  return wordsIn(result)
    .filter(
      ([key, value]) =>
        PLACE_NAME.test(key) || UNREAD.test(key) || named.some((place) => value.toLowerCase().includes(place)),
    )
    .map(([key, value]) => `${key} = ${value.slice(0, 60)}`)
}

/** Whose picture it is, in EXIF, IPTC, XMP and PNG text. */
const CREDIT =
  /^(?:(?:IFD0:(?:Artist|Copyright))|(?:IPTC:(?:By-line|CopyrightNotice|Credit))|(?:XMP-dc:(?:Creator|Rights))|(?:XMP-photoshop:Credit)|(?:XMP-xmpRights:(?:UsageTerms|WebStatement))|(?:PNG:(?:Author|Copyright)))$/

/** Without letters beyond ASCII: of older records, exiftool takes UTF-8 and Macintosh for Latin-1. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

/** Credits of the original that stand nowhere in the result; null where it has none. */
export function creditsMissing(original: Tags, result: Tags): string[] | null {
  const credits = wordsIn(original).filter(([key, value]) => CREDIT.test(key) && plain(value) !== '')
  if (credits.length === 0) return null
  const there = wordsIn(result)
    .map(([, value]) => plain(value))
    .join('\n')
  return credits
    .filter(([, value]) => !there.includes(plain(value)))
    .map(([key, value]) => `${key} = ${value.slice(0, 60)}`)
}

/** The profile of a picture, by exiftool; null without one. */
export function profileOf(tags: Tags): { name: string; space: string } | null {
  const space = tags['ICC-header:ColorSpaceData']
  if (space === undefined) return null
  return { name: textOf(tags['ICC_Profile:ProfileDescription'] ?? '?'), space: textOf(space).trim() }
}
