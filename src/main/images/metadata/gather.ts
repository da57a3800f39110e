import type { CreditCode } from '../../../shared/sentences/reasons.ts'
import type { OutputType } from '../../../shared/recipes/recipe.ts'
import { avif } from './avif.ts'
import { MalformedImage, nothingFound, type Container, type FoundMetadata } from './container.ts'
import { gif } from './gif.ts'
import { jpeg } from './jpeg.ts'
import { png } from './png.ts'
import { webp } from './webp.ts'
import { readExif } from './exif.ts'
import { readIptc } from './iptc.ts'
import { isLocationName } from './location-words.ts'
import {
  CC,
  DC,
  IPTC_CORE,
  parseXmp,
  PHOTOSHOP,
  PLUS,
  textsOf,
  TIFF,
  XMP_RIGHTS,
  type XmpProperty,
  type XmpValue,
} from './xmp.ts'

export interface Picture {
  bytes: Buffer
  type: OutputType
}

export const CONTAINERS: Record<OutputType, Container> = { jpeg, png, webp, gif, avif }

/** No metadata for a picture that cannot be parsed. */
export function readLeniently(picture: Picture): FoundMetadata {
  return readOrNull(picture) ?? nothingFound()
}

/** Null if it cannot be parsed. */
export function readOrNull({ bytes, type }: Picture): FoundMetadata | null {
  try {
    return CONTAINERS[type].read(bytes)
  } catch (error) {
    if (error instanceof MalformedImage || error instanceof RangeError) return null
    throw error
  }
}

/** A file's descriptive metadata of all kinds, as XMP properties. */
export interface Gathered {
  properties: XmpProperty[]
  /** Place names in location fields. */
  locations: string[]
  /** An XMP packet could not be parsed. */
  isUnreadable: boolean
}

type Shape = 'text' | 'language' | 'list' | 'sequence'
type Target = readonly [namespace: string, name: string, shape: Shape]

const CREATOR: Target = [DC, 'creator', 'sequence']
const RIGHTS: Target = [DC, 'rights', 'language']
const TERMS: Target = [XMP_RIGHTS, 'UsageTerms', 'language']
const TITLE: Target = [DC, 'title', 'language']
const DESCRIPTION: Target = [DC, 'description', 'language']

/** XMP's copies of EXIF fields. */
const FROM_TIFF: readonly (readonly [string, Target])[] = [
  ['Artist', CREATOR],
  ['Copyright', RIGHTS],
]

/** The mapping of IPTC records to XMP (IPTC Photo Metadata Standard). */
const FROM_IPTC: readonly (readonly [number, Target])[] = [
  [80, CREATOR],
  [116, RIGHTS],
  [110, [PHOTOSHOP, 'Credit', 'text']],
  [115, [PHOTOSHOP, 'Source', 'text']],
  [85, [PHOTOSHOP, 'AuthorsPosition', 'text']],
  [5, TITLE],
  [105, [PHOTOSHOP, 'Headline', 'text']],
  [120, DESCRIPTION],
  [122, [PHOTOSHOP, 'CaptionWriter', 'text']],
  [25, [DC, 'subject', 'list']],
  [40, [PHOTOSHOP, 'Instructions', 'text']],
  [103, [PHOTOSHOP, 'TransmissionReference', 'text']],
  [92, [IPTC_CORE, 'Location', 'text']],
  [90, [PHOTOSHOP, 'City', 'text']],
  [95, [PHOTOSHOP, 'State', 'text']],
  [100, [IPTC_CORE, 'CountryCode', 'text']],
  [101, [PHOTOSHOP, 'Country', 'text']],
]
const IPTC_LOCATIONS = [26, 27, 90, 92, 95, 101]

/** Keywords of the PNG specification, and ImageMagick's for EXIF. */
const FROM_PNG = new Map<string, Target>([
  ['author', CREATOR],
  ['artist', CREATOR],
  ['creator', CREATOR],
  ['exif:artist', CREATOR],
  ['copyright', RIGHTS],
  ['exif:copyright', RIGHTS],
  ['credit', [PHOTOSHOP, 'Credit', 'text']],
  ['disclaimer', TERMS],
  ['title', TITLE],
  ['description', DESCRIPTION],
])

/** An XMP property takes precedence over its equivalents, which only fill gaps. Never throws. */
export function gather(found: FoundMetadata): Gathered {
  const packets = found.xmp.map(parseXmp)
  const properties: XmpProperty[] = []
  const add = (property: XmpProperty): void => {
    if (textsOf(property.value).some((text) => text.trim() !== '') && findProperty(properties, property) === undefined)
      properties.push(property)
  }
  for (const property of packets.flatMap((packet) => packet ?? [])) add(property)
  let locations = properties.flatMap(locationsIn)
  for (const [name, target] of FROM_TIFF) {
    const property = findProperty(properties, { namespace: TIFF, name })
    if (property !== undefined) add(propertyOf(target, textsOf(property.value)))
  }

  const iptc = readIptc(found.iptc ?? Buffer.alloc(0))
  for (const [dataSet, target] of FROM_IPTC) {
    const values = iptc.get(dataSet)
    if (values !== undefined) add(propertyOf(target, values))
  }
  for (const dataSet of IPTC_LOCATIONS) locations = locations.concat(iptc.get(dataSet) ?? [])

  if (found.exif !== null) {
    const { artist, photographer, copyright, xpAuthor, places } = readExif(found.exif)
    locations = locations.concat(places)
    add(propertyOf(CREATOR, [artist || photographer || xpAuthor]))
    add(propertyOf(RIGHTS, [copyright]))
  }
  for (const { keyword, value } of found.texts) {
    const target = FROM_PNG.get(keyword.toLowerCase())
    if (target !== undefined) add(propertyOf(target, [value.trim()]))
    if (isLocationName(keyword)) locations.push(value)
  }
  return { properties, locations: locations.map((location) => location.trim()), isUnreadable: packets.includes(null) }
}

export function findProperty(
  properties: readonly XmpProperty[],
  { namespace, name }: Pick<XmpProperty, 'namespace' | 'name'>,
): XmpProperty | undefined {
  return properties.find((property) => property.namespace === namespace && property.name === name)
}

/** A property in the form that its vocabulary requires. */
function propertyOf([namespace, name, shape]: Target, values: readonly string[]): XmpProperty {
  const items = values.map((text): XmpValue => ({ kind: 'text', text, language: null }))
  const first: XmpValue = items[0] ?? { kind: 'text', text: '', language: null }
  switch (shape) {
    case 'text':
      return { namespace, name, value: first }
    case 'list':
      return { namespace, name, value: { kind: 'Bag', items } }
    case 'sequence':
      return { namespace, name, value: { kind: 'Seq', items } }
    case 'language': {
      const text: XmpValue = { kind: 'text', text: values[0] ?? '', language: 'x-default' }
      return { namespace, name, value: { kind: 'Alt', items: [text] } }
    }
  }
}

function locationsIn({ name, value }: XmpProperty): string[] {
  if (isLocationName(name)) return textsOf(value)
  switch (value.kind) {
    case 'structure':
      return value.fields.flatMap(locationsIn)
    case 'text':
    case 'link':
      return []
    default:
      return value.items.flatMap((item) => locationsIn({ namespace: '', name: '', value: item }))
  }
}

/** Creator, owner and licence of a picture, which every result has to keep. */
const CREDITS: readonly (readonly [CreditCode, namespace: string, name: string])[] = [
  ['creator', DC, 'creator'],
  ['rights', DC, 'rights'],
  ['credit', PHOTOSHOP, 'Credit'],
  ['source', PHOTOSHOP, 'Source'],
  ['usage_terms', XMP_RIGHTS, 'UsageTerms'],
  ['web_statement', XMP_RIGHTS, 'WebStatement'],
  ['marked', XMP_RIGHTS, 'Marked'],
  ['owner', XMP_RIGHTS, 'Owner'],
  ['license', CC, 'license'],
  ['attribution', CC, 'attributionName'],
  ['attribution', CC, 'attributionURL'],
]

/** The licensors and owners of PLUS are credits too. */
export function isCredit({ namespace, name }: XmpProperty): boolean {
  return namespace === PLUS || CREDITS.some((credit) => credit[1] === namespace && credit[2] === name)
}

/** The credits in `wanted` that are missing from `present`. */
export function missingCredits(wanted: readonly XmpProperty[], present: readonly XmpProperty[]): XmpProperty[] {
  return wanted.filter((property) => isCredit(property) && findProperty(present, property) === undefined)
}

export function codesOf(credits: readonly XmpProperty[]): CreditCode[] {
  const codes = credits.map(
    ({ namespace, name }): CreditCode =>
      CREDITS.find((row) => row[1] === namespace && row[2] === name)?.[0] ?? 'licensor',
  )
  return [...new Set(codes)]
}
