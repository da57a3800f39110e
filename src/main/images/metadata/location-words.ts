/** Words that mark a property as a location in any vocabulary. Compared word by word, ignoring case. */
const LOCATION_WORDS = new Set(
  (
    'adr address altitude bearing cell city coordinate coordinates country county decimal destination district ' +
    'elevation footprint geo geocode geodetic geohash geolocation georeference geotag gps island lat latitude lon lng ' +
    'longitude location locality mgrs municipality place poi postal postcode province region state sublocation track ' +
    'utm venue waypoint where world zip'
  ).split(' '),
)

/** Whether a property's name suggests a location: `GPSLatitude`, `drone:gps_lat`, `ProvinceState`. */
export function isLocationName(name: string): boolean {
  const words = name
    .replace(/GPS/gi, ' gps ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
  return words.some((word) => LOCATION_WORDS.has(word) || /(?:lat|long)itude$/.test(word))
}

/** Every repetition in these patterns is bounded, so that matching takes linear time. */
const NUMBER = String.raw`[-+−]?\d{1,3}(?:[.,]\d)?`
const MARKS = String.raw`[\d\s.,°º'"′″’”:]{0,24}`
const GAP = String.raw`[\s,;/]{0,6}`

const COORDINATES: RegExp[] = [
  // As precise as a coordinate; hardly anything else in a text is.
  /(?<![\d.])\d{1,3}[.,]\d{4,12}(?!\d*\.\d)/,
  // A pair: 47.38, 8.54
  /(?<![\d.])[-+−]?\d{1,3}\.\d{2,12}\s{0,6}[,;/|\s]\s{0,6}[-+−]?\d{1,3}\.\d{2}/,
  new RegExp(
    String.raw`\b(?:lat|lon|lng|long|latitude|longitude|gps|coord\p{L}{0,8}|breitengrad|längengrad)\P{L}{0,6}?${NUMBER}`,
    'iu',
  ),
  // 47°22', 47° N, 47 deg 22
  /\d\s{0,6}(?:[°º]|deg\b)\s{0,6}(?:\d|[NSEWO]\b)/i,
  // N 47 22.6 E 8 32.4, 47.3N 8.5E, 47,22.6133N
  new RegExp(String.raw`\b[NS]\s?\d${MARKS}${GAP}[EWO]\s?\d`, 'i'),
  new RegExp(String.raw`\d\s?[NS]\b${GAP}\d${MARKS}[EWO]\b`, 'i'),
  new RegExp(String.raw`\d['"′″’”]\s?[NS]\b${GAP}\d${MARKS}[EWO]\b`, 'i'),
  /\d{1,3},\d{1,2}(?:\.\d{1,12}|,\d{1,2})\s?[NSEW]\b/i,
  // ISO 6709
  /[+-]\d{2}(?:\d{2}){0,2}(?:\.\d{1,12})?[+-]\d{3}(?:\d{2}){0,2}(?:\.\d{1,12})?(?:[+-]\d{1,6}(?:\.\d{1,6})?)?(?:CRS\w{1,16})?\//,
  /[+-]\d{2,6}\.\d{1,12}[+-]\d{3,7}\.\d/,
  /\bgeo:\s?[-+]?\d/i,
  /(?:\bmaps?\.|\/maps?\b|openstreetmap|[?&](?:q|ll|mlat|mlon|center)=)\S{0,200}\d/i,
  // Plus codes
  /(?<![A-Z\d])(?=\S{0,8}\d)[23456789CFGHJMPQRVWX]{4,8}\+[23456789CFGHJMPQRVWX]{2,3}(?![A-Z\d])/i,
  // MGRS, UTM
  /\b\d{1,2}[C-HJ-NP-X]\s?[A-HJ-NP-Z]{2}\s?\d{4,5}\s?\d{4,5}\b/i,
  /\b\d{1,2}\s?[C-HJ-NP-X]\s?\d{6}\s?\d{7}\b/i,
  // Great Britain's grid
  new RegExp(
    String.raw`\b(?:H[PTUWXYZ]|N[A-DF-HJ-OR-UW-Z]|OV|S[CDEHJKM-PR-Z]|T[AFGLMQRV])\s?` +
      String.raw`(?:\d{3}\s?\d{3}|\d{4}\s?\d{4}|\d{5}\s?\d{5})\b`,
  ),
  // Switzerland's: LV95, and LV03 with separators
  /\b2['’\s]?[4-8]\d{2}['’\s]?\d{3}(?:\.\d{1,6})?\s{0,3}[,;/|\s]\s{0,3}1['’\s]?[0-3]\d{2}['’\s]?\d{3}\b/,
  /\b[4-8]\d{2}['’]\d{3}(?:\.\d{1,6})?\s{0,3}[,;/|\s]\s{0,3}[0-3]?\d{2}['’]\d{3}\b/,
  // what3words
  /\/\/\/\p{L}{1,40}\.\p{L}{1,40}\.\p{L}/u,
  /\b(?:mcc|mnc|lac|cell[\s_-]?(?:id|tower)?)\b\W{0,4}\d/i,
]

/** Longer texts are encoded pictures or editing histories. */
const MAX_TEXT_CHARACTERS = 20_000

/** Whether the text may contain a location as figures or as a code. Errs on the side of true. */
export function hasCoordinate(text: string): boolean {
  if (text.length > MAX_TEXT_CHARACTERS) return true
  const plain = text
    .normalize('NFKC')
    // Arabic and Persian digits.
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/٫/g, '.')
    // Timestamps have fractions too.
    .replace(/\d{4}[-:]\d\d[-:]\d\d[T\s]\d\d:\d\d(?::\d\d(?:\.\d+)?)?/g, ' ')
  return COORDINATES.some((pattern) => pattern.test(plain))
}
