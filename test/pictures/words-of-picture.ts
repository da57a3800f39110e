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

/** Fields of the result that tell a place: by their names, or since they hold a place that the original names or its coordinates. */
export function placesIn(original: Tags, result: Tags): string[] {
  const named = wordsIn(original)
    .filter(([key, value]) => NAMES_A_PLACE.test(key) && value.length >= SHORTEST_NAME && /\p{L}{3}/u.test(value))
    .map(([, value]) => value.toLowerCase())
  const there = coordinatesOf(original)
  return wordsIn(result)
    .filter(
      ([key, value]) =>
        PLACE_NAME.test(key) ||
        UNREAD.test(key) ||
        named.some((place) => value.toLowerCase().includes(place)) ||
        (there !== null && holdsBoth(value, there)),
    )
    .map(([key, value]) => `${key} = ${value.slice(0, 60)}`)
}

interface Coordinates {
  latitude: number
  longitude: number
}

/** About a kilometre. */
const SAME_DEGREES = 0.01

/** Null where the picture has none, or none that means anything. */
function coordinatesOf(tags: Tags): Coordinates | null {
  const [latitude, longitude] = ['Latitude', 'Longitude'].map((name) => textOf(tags[`Composite:GPS${name}`]))
  if (!latitude || !longitude) return null
  const found = { latitude: Number(latitude), longitude: Number(longitude) }
  const isPlace = Number.isFinite(found.latitude) && Number.isFinite(found.longitude)
  return isPlace && (found.latitude !== 0 || found.longitude !== 0) ? found : null
}

function holdsBoth(text: string, { latitude, longitude }: Coordinates): boolean {
  const numbers = [...text.matchAll(/\d+\.\d+/g)].map(([number]) => Number(number))
  const holds = (degrees: number): boolean =>
    numbers.some((number) => Math.abs(number - Math.abs(degrees)) < SAME_DEGREES)
  return holds(latitude) && holds(longitude)
}

/** Where the picture was taken, when the result tells another place or none; null where the original tells none. */
export function placeLost(original: Tags, result: Tags): string[] | null {
  const before = coordinatesOf(original)
  if (before === null) return null
  const after = coordinatesOf(result)
  const isSame =
    after !== null &&
    Math.abs(after.latitude - before.latitude) < SAME_DEGREES / 100 &&
    Math.abs(after.longitude - before.longitude) < SAME_DEGREES / 100
  const text = (place: Coordinates | null): string =>
    place === null ? 'nowhere' : `${place.latitude}, ${place.longitude}`
  return isSame ? [] : [`${text(before)} became ${text(after)}`]
}

/** Groups about the file and its pixels. */
const TECHNICAL = /^(?:JFIF|RIFF|Adobe|APP14|MPF|GIF|Meta|QuickTime|Track\d|PNG-(?:pHYs|cHRM))/
const TECHNICAL_PNG =
  /^PNG:(?:ImageWidth|ImageHeight|BitDepth|ColorType|Compression|Filter|Interlace|Palette|Transparency|SRGBRendering|Gamma|BackgroundColor|SignificantBits|ProfileName|Animation\w+|Warning)$/
/** Without it a JPEG would be shown lying on its side. */
const ORIENTATION = 'IFD0:Orientation'

/** Words of a result that should have none. */
export function wordsLeft(result: Tags): string[] {
  return wordsIn(result)
    .filter(([key]) => !TECHNICAL_PNG.test(key) && key !== ORIENTATION)
    .filter(([key]) => !TECHNICAL.test(key) || key.endsWith(':Comment'))
    .map(([key, value]) => `${key} = ${value.slice(0, 60)}`)
}

const ALT_TEXT = /^XMP-iptcCore:AltTextAccessibility-?/

/** The alternatives of the alt text, by language. */
export function altTextsOf(tags: Tags): Map<string, string> {
  const found = Object.entries(tags).filter(([key]) => ALT_TEXT.test(key))
  return new Map(found.map(([key, value]) => [key.replace(ALT_TEXT, '') || 'x-default', textOf(value)]))
}

export function withoutAltTexts(tags: Tags): Tags {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !ALT_TEXT.test(key)))
}

/** Fields that say whose picture it is, with Hangar's code. Where they contradict each other the first counts: XMP, IPTC, EXIF, PNG. */
const CREDITS: readonly [code: string, keys: readonly string[]][] = [
  ['creator', ['XMP-dc:Creator', 'IPTC:By-line', 'IFD0:Artist', 'PNG:Artist', 'PNG:Author']],
  ['rights', ['XMP-dc:Rights', 'IPTC:CopyrightNotice', 'IFD0:Copyright', 'PNG:Copyright']],
  ['credit', ['XMP-photoshop:Credit', 'IPTC:Credit']],
  ['usage_terms', ['XMP-xmpRights:UsageTerms']],
  ['web_statement', ['XMP-xmpRights:WebStatement']],
]

/** Without letters beyond ASCII: of older records, exiftool takes UTF-8 and Macintosh for Latin-1. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()

/** Credits of the original that the result lacks, apart from those that Hangar has `said` to be lost; null where it has none. */
export function creditsMissing(original: Tags, result: Tags, said: readonly string[]): string[] | null {
  const credits = CREDITS.flatMap(([code, keys]) => {
    const key = keys.find((name) => plain(textOf(original[name])) !== '')
    if (key === undefined) return []
    const value = textOf(original[key])
    const kept = ` ${plain(keys.map((name) => textOf(result[name])).join(' '))} `
    const isSaid = said.includes(code) || said.includes('unreadable')
    return [{ isLost: !kept.includes(` ${plain(value)} `) && !isSaid, text: `${key} = ${value.slice(0, 60)}` }]
  })
  return credits.length === 0 ? null : credits.filter(({ isLost }) => isLost).map(({ text }) => text)
}

/** The profile of a picture, by exiftool; null without one. */
export function profileOf(tags: Tags): { name: string; space: string } | null {
  const space = tags['ICC-header:ColorSpaceData']
  if (space === undefined) return null
  return { name: textOf(tags['ICC_Profile:ProfileDescription'] ?? '?'), space: textOf(space).trim() }
}
