import type { IptcFields } from './iptc.ts'
import { DC, IPTC_CORE, PHOTOSHOP, type XmpProperty } from './xmp.ts'
import { CREATOR, DESCRIPTION, propertyOf, RIGHTS, TITLE, type Target } from './xmp-forms.ts'

const ofPhotoshop = (name: string): Target => [PHOTOSHOP, name, 'text']

/**
 * Who made a picture, what it shows and where, in the mapping of IPTC records to XMP (IPTC Photo Metadata Standard). The records about its
 * handling in an agency, and dates, are left out: programs that know them write XMP too.
 */
const FROM_IPTC: readonly (readonly [dataSet: number, target: Target])[] = [
  [80, CREATOR],
  [116, RIGHTS],
  [110, ofPhotoshop('Credit')],
  [115, ofPhotoshop('Source')],
  [5, TITLE],
  [105, ofPhotoshop('Headline')],
  [120, DESCRIPTION],
  [25, [DC, 'subject', 'list']],
  [92, [IPTC_CORE, 'Location', 'text']],
  [90, ofPhotoshop('City')],
  [95, ofPhotoshop('State')],
  [101, ofPhotoshop('Country')],
]
const LOCATIONS = [26, 27, 90, 92, 95, 101]

/** The equivalents of all records that have one. Where XMP takes a field once but it stands several times, all of it is kept as one text. */
export function iptcInXmp(fields: IptcFields): XmpProperty[] {
  return FROM_IPTC.flatMap(([dataSet, target]) => {
    const values = fields.get(dataSet)
    if (values === undefined) return []
    const isOne = target[2] === 'text' || target[2] === 'language'
    return [propertyOf(target, isOne ? [[...new Set(values)].join('; ')] : values)]
  })
}

export function placesInIptc(fields: IptcFields): string[] {
  return LOCATIONS.flatMap((dataSet) => fields.get(dataSet) ?? [])
}
