import { isUnmoved, type Fit } from './picture-fit.ts'
import { EXIF, GPANO, IPTC_EXT, TIFF, XMP, type XmpProperty, type XmpValue } from './xmp.ts'

/** Null for a property that the result must not have, since what it would say there is unknown. */
type Fitter = (value: XmpValue, fit: Fit) => XmpValue | null

const text = (value: string | number): XmpValue => ({ kind: 'text', text: String(value), language: null })

const fitColourSpace: Fitter = (value, { isSrgb }) => (isSrgb ? text(1) : value)

/** XMP's copies of what EXIF says about the stored pixels, which are true of each file. */
const ALWAYS = new Map<string, Fitter>([
  [`${TIFF}Orientation`, (_value, { orientation }) => text(orientation)],
  [`${TIFF}ImageWidth`, (_value, { size }) => size && text(size.width)],
  [`${TIFF}ImageLength`, (_value, { size }) => size && text(size.height)],
  [`${EXIF}PixelXDimension`, (_value, { size }) => size && text(size.width)],
  [`${EXIF}PixelYDimension`, (_value, { size }) => size && text(size.height)],
  [`${EXIF}ColorSpace`, fitColourSpace],
])

/** What refers to places in the picture, or to its size, and is left out of a picture that was turned or scaled. */
const UNLESS_MOVED = new Set([
  ...['SubjectArea', 'SubjectLocation', 'FocalPlaneXResolution', 'FocalPlaneYResolution'].map((name) => EXIF + name),
  `${XMP}Thumbnails`,
  `${IPTC_EXT}ImageRegion`,
  'http://www.metadataworkinggroup.com/schemas/regions/Regions',
  'http://ns.microsoft.com/photo/1.2/RegionInfo',
  'http://ns.apple.com/faceinfo/1.0/Regions',
])

/** The properties with all that describes the stored pixels fitted to those of another file of the picture. */
export function fitXmp(properties: readonly XmpProperty[], fit: Fit): XmpProperty[] {
  const isMoved = !isUnmoved(fit)
  return properties.flatMap((property): XmpProperty[] => {
    const { namespace, name } = property
    if (isMoved && (namespace === GPANO || UNLESS_MOVED.has(namespace + name))) return []
    const fitter = ALWAYS.get(namespace + name)
    const value = fitter === undefined ? property.value : fitter(property.value, fit)
    return value === null ? [] : [{ ...property, value }]
  })
}
