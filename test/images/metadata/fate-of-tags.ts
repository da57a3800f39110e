import type { MetadataPolicy } from '../../../src/shared/recipes/recipe.ts'

/** Tags as exiftool names them: family 1, and the name. */
export type Tags = Readonly<Record<string, unknown>>

/** What becomes of a tag in a result, as bench/results/pictures-judged.md has it; `unexplained` fails the test. */
export type Fate = string
const UNEXPLAINED = 'unexplained'
const OF_LOCATION = 'location: by the name of the tag'

/** Groups about the file and its pixels, and what exiftool computes. */
const OF_FILE =
  /^(?:SourceFile$|ExifTool|System|File(?!:Comment)|Composite|ICC|JFIF|JFXX|Adobe|APP14|RIFF|GIF(?!:Comment)|PNG-(?:pHYs|cHRM)|PNG:(?:ImageWidth|ImageHeight|BitDepth|ColorType|Compression|Filter|Interlace|Palette|Transparency|SRGBRendering|Gamma|BackgroundColor|SignificantBits|ProfileName|Animation\w+|(?:WhitePoint|Red|Green|Blue)[XY]))/

/** True of each file. */
const FITTED =
  /:(?:Orientation|ExifImage(?:Width|Height)|ImageWidth|ImageHeight|ImageLength|RelatedImage(?:Width|Height)|SubjectArea|SubjectLocation|FocalPlane[XY]Resolution|ColorSpace|InteropIndex|RegionInfo\w*|ImageRegion|CroppedArea\w+|FullPano\w+|LargestValid\w+|Calibrated\w+|DewarpData)$/

const DROPPED = [
  ['Photoshop records and IPTC without an equivalent in XMP', /^(?:IPTC(?!2)|Photoshop|PhotoMechanic)/],
  [
    'other segments of a JPEG, and data behind the picture',
    /^(?:IPTC2|APP\d|AVI1|AROT|AFCP|CanonVRD|Casio:(?:CasioQuality|DateTimeOriginal|ModelType|Manufacture\w+)|CIFF|CBOR|DJI|Ducky|FLIR|FlashPix|FotoStation|FPXR|GoPro|GraphConv|InfiRay|JPEG-HDR|JSON|JUMBF|Jpeg|Kodak(?:Borders|Effects)?IFD|KodakBordersIFD|Meta|MetaIFD|MediaJukebox|MPF|MPImage|NITF|Olympus-trailer|PictureInfo|PrintIM|Qualcomm|RMETA|Samsung:(?:Embedded|DepthMap|Surround)|Scalado|SPIFF|Stim)/,
  ],
  ['text and time of a PNG, comments', /^(?:PNG|File:Comment|GIF:Comment)/],
  ['thumbnail of a turned picture', /^IFD1/],
  [
    'gain map, depth and motion in XMP',
    /^XMP-(?:hdrgm|GCamera|GContainer|Container|GDepth|GImage|GAudio|Device|GFocus|HDRGainMap|xmpNote)/,
  ],
  ['name of the program that wrote the XMP', /^XMP-(?:x:XMPToolkit|rdf:About)$/],
  ['offset in the file', /:\w*(?:Start|Offset)$/],
] as const

/** Records that have an equivalent: the tag that has to be there instead, with what it said before or with this. */
const IN_XMP: Record<string, string> = {
  'By-line': 'dc:Creator',
  'By-lineTitle': 'photoshop:AuthorsPosition',
  Credit: 'photoshop:Credit',
  Source: 'photoshop:Source',
  CopyrightNotice: 'dc:Rights',
  ObjectName: 'dc:Title',
  Headline: 'photoshop:Headline',
  'Caption-Abstract': 'dc:Description',
  'Writer-Editor': 'photoshop:CaptionWriter',
  Keywords: 'dc:Subject',
  Category: 'photoshop:Category',
  SupplementalCategories: 'photoshop:SupplementalCategories',
  Urgency: 'photoshop:Urgency',
  ObjectAttributeReference: 'iptcCore:IntellectualGenre',
  SubjectReference: 'iptcCore:SubjectCode',
  SpecialInstructions: 'photoshop:Instructions',
  OriginalTransmissionReference: 'photoshop:TransmissionReference',
  'Sub-location': 'iptcCore:Location',
  City: 'photoshop:City',
  'Province-State': 'photoshop:State',
  'Country-PrimaryLocationCode': 'iptcCore:CountryCode',
  'Country-PrimaryLocationName': 'photoshop:Country',
  LanguageIdentifier: 'dc:Language',
  DateCreated: 'photoshop:DateCreated',
  TimeCreated: 'photoshop:DateCreated',
  DigitalCreationDate: 'xmp:CreateDate',
  DigitalCreationTime: 'xmp:CreateDate',
  OriginatingProgram: 'xmp:CreatorTool',
  ProgramVersion: 'xmp:CreatorTool',
  ContentLocationCode: 'iptcExt:LocationShown',
  ContentLocationName: 'iptcExt:LocationShown',
  URL: 'xmpRights:WebStatement',
}

export function fateOf(policy: MetadataPolicy, key: string, before: Tags, after: Tags): Fate {
  const value = before[key]
  if (OF_FILE.test(key)) return 'of the file'
  if (policy === 'strip')
    return isLeftByStrip(key, after) ? 'orientation of a JPEG' : key in after ? UNEXPLAINED : 'removed'
  if (policy === 'keep-without-location' && isLocation(key)) return key in after ? UNEXPLAINED : OF_LOCATION
  if (isSame(value, after[key])) return 'kept'
  if (FITTED.test(key)) return 'fitted to the pixels'
  if (typeof value === 'string' && value.trim() === '') return 'empty'
  if (isUnderAnotherPrefix(key, value, after)) return 'under another prefix'
  const equivalent = /^(?:IPTC|Photoshop):/.test(key) ? IN_XMP[key.slice(key.indexOf(':') + 1)] : undefined
  if (equivalent !== undefined && `XMP-${equivalent}` in after) return 'IPTC, as its equivalent in XMP'
  const removed = policy === 'keep-without-location' ? whyWithoutLocation(key, value, before) : null
  if (removed !== null) return removed
  if (equivalent !== undefined) return isBlank(value) ? 'empty' : UNEXPLAINED
  return DROPPED.find(([, pattern]) => pattern.test(key.replace(/^MakerNotes:/, '')))?.[0] ?? UNEXPLAINED
}

const isBlank = (value: unknown): boolean => /^[\s0:]*$/.test(String(value))

function isLeftByStrip(key: string, after: Tags): boolean {
  return key === 'IFD0:Orientation' && key in after
}

/** Tags of a result that its recipe does not allow at all. */
export function strangersIn(policy: MetadataPolicy, after: Tags): string[] {
  const keys = Object.keys(after).filter((key) => !OF_FILE.test(key))
  if (policy === 'keep-all') return []
  return keys.filter((key) => (policy === 'strip' ? !isLeftByStrip(key, after) : isLocation(key)))
}

/** By exiftool's own groups and by name; sensitivity has a latitude too. */
export function isLocation(key: string): boolean {
  if (/ISOSpeedLatitude|WhiteBalance/.test(key)) return false
  return /^GPS|^XMP-(?:exif|GPano|drone-dji|dwc)\S*:GPS|:GPS|latitude$|longitude$|altitude|:(?:Sub-?)?location|:City|:Country|:Province|:State$|LocationName|LocationCode|:Location(?:Shown|Created)|Geotag|Locality/i.test(
    key,
  )
}

/** Names of places in the tags that are about a location. */
export function placesIn(tags: Tags): string[] {
  const found = Object.entries(tags)
    .filter(([key]) => isLocation(key) && /^(?:IPTC|XMP)/.test(key))
    .flatMap(([, value]) => JSON.stringify(value)?.match(/[\p{L}][\p{L} '-]{2,}/gu) ?? [])
  return [...new Set(found.map((place) => place.toLowerCase()))]
}

const KNOWN_VOCABULARIES = /^XMP-(?:dc|xmpRights|photoshop|iptcCore|iptcExt|plus|tiff|xmp|exif|exifEX|aux|GPano|cc):/
const EARLIER_FILES = /:(?:Thumbnails|PageImage|MakerNote|DocumentAncestors|History)/
/** Numbers as precise as a coordinate, degrees, maps. */
const LIKE_A_COORDINATE = /\d[.,]\d{4}|[°º]|\bdeg\b|maps?[./]|[NSEW]\s?\d+[.,\s]|\d{6}/i
/** EXIF that says how, when, by whom and with what a picture was taken. */
const OF_MAIN =
  /:(?:ImageDescription|Make|Model|[XY]Resolution|ResolutionUnit|Software|ModifyDate|WhitePoint|PrimaryChromaticities|YCbCr\w+|ReferenceBlackWhite|Rating\w*|XP\w+|Artist|Copyright)$/
const KNOWN_EXIF = new Set(
  (
    'ImageDescription Make Model XResolution YResolution ResolutionUnit Software ModifyDate WhitePoint PrimaryChromaticities ' +
    'YCbCrCoefficients YCbCrPositioning ReferenceBlackWhite Rating RatingPercent XPTitle XPComment XPKeywords XPSubject XPAuthor ' +
    'ExposureTime FNumber ExposureProgram SpectralSensitivity ISO SensitivityType StandardOutputSensitivity ' +
    'RecommendedExposureIndex ISOSpeed ExifVersion DateTimeOriginal CreateDate OffsetTime OffsetTimeOriginal OffsetTimeDigitized ' +
    'ComponentsConfiguration CompressedBitsPerPixel ShutterSpeedValue ApertureValue BrightnessValue ExposureCompensation ' +
    'MaxApertureValue SubjectDistance MeteringMode LightSource Flash FocalLength SubSecTime SubSecTimeOriginal SubSecTimeDigitized ' +
    'FlashpixVersion FocalPlaneResolutionUnit SensingMethod FileSource SceneType CustomRendered ExposureMode WhiteBalance ' +
    'DigitalZoomRatio FocalLengthIn35mmFormat SceneCaptureType GainControl Contrast Saturation Sharpness SubjectDistanceRange ' +
    'ImageUniqueID OwnerName SerialNumber LensInfo LensMake LensModel LensSerialNumber CompositeImage Gamma Artist Copyright UserComment'
  ).split(' '),
)
const OF_EXIF = /^(?:IFD0|ExifIFD|InteropIFD|SubIFD\d*|IFD\d|GPS|Exif\w+):/

/** Null where nothing of what removes a location concerns the tag. */
function whyWithoutLocation(key: string, value: unknown, before: Tags): Fate | null {
  const name = key.slice(key.indexOf(':') + 1)
  const text = JSON.stringify(value)?.toLowerCase() ?? ''
  const hasPlace = LIKE_A_COORDINATE.test(text) || placesIn(before).some((place) => text.includes(place))
  if (key.startsWith('MakerNotes:')) return 'maker note'
  if (/^(?:IFD1|SubIFD)/.test(key)) return 'thumbnail'
  if (OF_EXIF.test(key)) {
    // In the main directory, fields of the other are not known.
    if (!KNOWN_EXIF.has(name) || (key.startsWith('IFD0:') && !OF_MAIN.test(key)))
      return 'EXIF that is not known to reveal no location'
    return hasPlace ? 'text that may contain a location' : null
  }
  if (!key.startsWith('XMP-')) return hasPlace && key.startsWith('IPTC') ? 'text that may contain a location' : null
  if (DROPPED.some(([, pattern]) => pattern.test(key))) return null
  if (!KNOWN_VOCABULARIES.test(key)) return 'XMP vocabulary that is not known to reveal no location'
  if (EARLIER_FILES.test(key)) return 'thumbnails and earlier files'
  return hasPlace ? 'text that may contain a location' : null
}

/** exiftool gives a list of one as its item, and numbers as they look. */
function isSame(one: unknown, other: unknown): boolean {
  const plain = (value: unknown): string =>
    JSON.stringify(Array.isArray(value) && value.length === 1 ? value[0] : value) ?? ''
  return plain(one).replaceAll(/\s+/g, ' ') === plain(other).replaceAll(/\s+/g, ' ')
}

/** exiftool names vocabularies that it does not know after the prefix in the packet, which is free to choose. */
function isUnderAnotherPrefix(key: string, value: unknown, after: Tags): boolean {
  const [group = '', name = ''] = key.split(':')
  if (!group.startsWith('XMP-')) return false
  return Object.entries(after).some(
    ([other, found]) => /^XMP-ns\d+:/.test(other) && other.endsWith(`:${name}`) && isSame(value, found),
  )
}
