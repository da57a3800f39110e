import type { CreditCode } from '../../../shared/sentences/reasons.ts'
import type { ImageType } from '../../../shared/recipes/recipe.ts'
import { avif, heic } from './avif.ts'
import { orNull, nothingFound, type Container, type FoundMetadata } from './container.ts'
import { gif } from './gif.ts'
import { jpeg } from './jpeg.ts'
import { png } from './png.ts'
import { tiff } from './tiff.ts'
import { webp } from './webp.ts'
import { readExif } from './exif.ts'
import { readIptc } from './iptc.ts'
import { iptcInXmp, photoshopInXmp, placesInIptc } from './iptc-in-xmp.ts'
import { isLocationName } from './location-words.ts'
import { CC, DC, parseXmp, PHOTOSHOP, PLUS, prefixesIn, textsOf, TIFF, XMP_RIGHTS } from './xmp.ts'
import type { Prefixes, XmpProperty } from './xmp.ts'
import { CREATOR, DESCRIPTION, propertyOf, RIGHTS, TITLE, type Target } from './xmp-forms.ts'

export interface Picture {
  bytes: Buffer
  type: ImageType
}

export const CONTAINERS: Record<ImageType, Container> = { jpeg, png, webp, gif, avif, tiff, heic }

/** No metadata for a picture that cannot be parsed. */
export function readLeniently(picture: Picture): FoundMetadata {
  return readOrNull(picture) ?? nothingFound()
}

/** Null if it cannot be parsed. */
export function readOrNull({ bytes, type }: Picture): FoundMetadata | null {
  return orNull(() => CONTAINERS[type].read(bytes))
}

/** The offset after a picture's last byte, null for an incomplete one, as while it is copied: decoders forgive a missing end. */
export function findImageEnd(bytes: Buffer, type: ImageType): number | null {
  return orNull(() => CONTAINERS[type].end(bytes))
}

/** A file's descriptive metadata of all kinds, as XMP properties. */
export interface Gathered {
  properties: XmpProperty[]
  /** Place names in location fields. */
  locations: string[]
  /** Of the XMP packets. */
  prefixes: Prefixes
  /** An XMP packet could not be parsed. */
  isUnreadable: boolean
}

const TERMS: Target = [XMP_RIGHTS, 'UsageTerms', 'language']

/** XMP's copies of EXIF fields. */
const FROM_TIFF: readonly (readonly [string, Target])[] = [
  ['Artist', CREATOR],
  ['Copyright', RIGHTS],
]

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
  for (const property of [...iptcInXmp(iptc), ...photoshopInXmp(found.photoshop)]) add(property)
  locations = locations.concat(placesInIptc(iptc))

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
  return {
    properties,
    locations: locations.map((location) => location.trim()),
    prefixes: prefixesIn(found.xmp),
    isUnreadable: packets.includes(null),
  }
}

export function findProperty(
  properties: readonly XmpProperty[],
  { namespace, name }: Pick<XmpProperty, 'namespace' | 'name'>,
): XmpProperty | undefined {
  return properties.find((property) => property.namespace === namespace && property.name === name)
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
