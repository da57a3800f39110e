import type { IptcFields, PhotoshopResources } from './iptc.ts'
import { textOfBytes } from './text-of-bytes.ts'
import { DC, IPTC_CORE, IPTC_EXT, PHOTOSHOP, XMP, XMP_RIGHTS, type XmpProperty, type XmpValue } from './xmp.ts'
import { CREATOR, DESCRIPTION, propertyOf, RIGHTS, TITLE, type Target } from './xmp-forms.ts'

type Fitter = (values: readonly string[]) => string[]

/** Where the standard allows a field once in XMP but it stands several times, all of it is kept as one text. */
const together: Fitter = (values) => [[...new Set(values)].join('; ')]
/** `013:Portrait`: the name is what counts. */
const genre: Fitter = (values) => values.slice(0, 1).map((value) => value.replace(/^\d{3}:/, ''))
/** `IPR:15054000:Sport:Soccer:`: the number is what counts. */
const subjects: Fitter = (values) => values.map((value) => value.split(':')[1] ?? value)

/** The mapping of IPTC records to XMP: IPTC Photo Metadata Standard, Metadata Working Group, Photoshop. */
const FROM_IPTC: readonly (readonly [dataSet: number, target: Target, fitter?: Fitter])[] = [
  [80, CREATOR],
  [116, RIGHTS, together],
  [110, [PHOTOSHOP, 'Credit', 'text'], together],
  [115, [PHOTOSHOP, 'Source', 'text'], together],
  [85, [PHOTOSHOP, 'AuthorsPosition', 'text'], together],
  [5, TITLE, together],
  [105, [PHOTOSHOP, 'Headline', 'text'], together],
  [120, DESCRIPTION, together],
  [122, [PHOTOSHOP, 'CaptionWriter', 'text'], together],
  [25, [DC, 'subject', 'list']],
  [15, [PHOTOSHOP, 'Category', 'text'], together],
  [20, [PHOTOSHOP, 'SupplementalCategories', 'list']],
  [10, [PHOTOSHOP, 'Urgency', 'text']],
  [4, [IPTC_CORE, 'IntellectualGenre', 'text'], genre],
  [12, [IPTC_CORE, 'SubjectCode', 'list'], subjects],
  [40, [PHOTOSHOP, 'Instructions', 'text'], together],
  [103, [PHOTOSHOP, 'TransmissionReference', 'text'], together],
  [92, [IPTC_CORE, 'Location', 'text'], together],
  [90, [PHOTOSHOP, 'City', 'text'], together],
  [95, [PHOTOSHOP, 'State', 'text'], together],
  [100, [IPTC_CORE, 'CountryCode', 'text']],
  [101, [PHOTOSHOP, 'Country', 'text'], together],
  [135, [DC, 'language', 'list']],
]
/** Day and time of one moment. */
const DATES: readonly (readonly [day: number, time: number, target: Target])[] = [
  [55, 60, [PHOTOSHOP, 'DateCreated', 'text']],
  [62, 63, [XMP, 'CreateDate', 'text']],
]
const LOCATIONS = [26, 27, 90, 92, 95, 101]
const [LOCATION_CODE, LOCATION_NAME] = [26, 27]
const [PROGRAM, PROGRAM_VERSION] = [65, 70]

/** The equivalents of all records that have one. */
export function iptcInXmp(fields: IptcFields): XmpProperty[] {
  const properties = FROM_IPTC.flatMap(([dataSet, target, fitter]) => {
    const values = fields.get(dataSet)
    return values === undefined ? [] : [propertyOf(target, fitter?.(values) ?? values)]
  })
  for (const [day, time, target] of DATES) {
    const date = dateOf(fields.get(day)?.[0], fields.get(time)?.[0])
    if (date !== null) properties.push(propertyOf(target, [date]))
  }
  const program = [...(fields.get(PROGRAM) ?? []), ...(fields.get(PROGRAM_VERSION) ?? [])].join(' ')
  if (fields.has(PROGRAM)) properties.push(propertyOf([XMP, 'CreatorTool', 'text'], [program]))
  return [...properties, ...shownLocations(fields)]
}

export function placesInIptc(fields: IptcFields): string[] {
  return LOCATIONS.flatMap((dataSet) => fields.get(dataSet) ?? [])
}

/** As in ISO 8601: `20260501` and `103000+0200`. Unknown days and months are zeros. Null for what is no date. */
function dateOf(day: string | undefined, time: string | undefined): string | null {
  const [, year, month = '00', date = '00'] = /^(\d{4})[-:]?(\d\d)?[-:]?(\d\d)?$/.exec(day ?? '') ?? []
  if (year === undefined || year === '0000') return null
  if (month === '00') return year
  if (date === '00') return `${year}-${month}`
  const [, hour, minute, second, zoneHour, zoneMinute] =
    /^(\d\d):?(\d\d):?(\d\d)(?:([+-]\d\d):?(\d\d))?$/.exec(time ?? '') ?? []
  const zone = zoneHour === undefined ? '' : `${zoneHour}:${zoneMinute}`
  return `${year}-${month}-${date}${hour === undefined ? '' : `T${hour}:${minute}:${second}${zone}`}`
}

/** Codes and names of the places that a picture shows, pair by pair. */
function shownLocations(fields: IptcFields): XmpProperty[] {
  const [codes, names] = [fields.get(LOCATION_CODE) ?? [], fields.get(LOCATION_NAME) ?? []]
  const items = Array.from({ length: Math.max(codes.length, names.length) }, (_, nth): XmpValue => {
    const code = codes[nth]
    const name = names[nth]
    const parts = [
      ...(code === undefined ? [] : [propertyOf([IPTC_EXT, 'CountryCode', 'text'], [code])]),
      ...(name === undefined ? [] : [propertyOf([IPTC_EXT, 'LocationName', 'language'], [name])]),
    ]
    return { kind: 'structure', fields: parts }
  })
  return items.length === 0 ? [] : [{ namespace: IPTC_EXT, name: 'LocationShown', value: { kind: 'Bag', items } }]
}

const COPYRIGHT_FLAG = 0x040a
const URL = 0x040b

/** Photoshop's own fields about rights, as Photoshop itself writes them into XMP. */
export function photoshopInXmp(resources: PhotoshopResources): XmpProperty[] {
  const url = textOfBytes(resources.get(URL) ?? Buffer.alloc(0))
    .replaceAll('\0', ' ')
    .trim()
  const isMarked = (resources.get(COPYRIGHT_FLAG)?.[0] ?? 0) !== 0
  return [
    ...(isMarked ? [propertyOf([XMP_RIGHTS, 'Marked', 'text'], ['True'])] : []),
    ...(url === '' ? [] : [propertyOf([XMP_RIGHTS, 'WebStatement', 'text'], [url])]),
  ]
}
