import { isUnmoved, type Fit } from './picture-fit.ts'
import { EXIF, GPANO, IPTC_EXT, textsOf, TIFF, XMP, type XmpProperty, type XmpValue } from './xmp.ts'

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

/** No panorama viewer turns them. */
const scaled =
  (axis: 'x' | 'y'): Fitter =>
  (value, { scale, isTurned }) => {
    const number = Number(textsOf(value).join(''))
    return scale === null || isTurned || !Number.isFinite(number) ? null : text(Math.round(number * scale[axis]))
  }
const PANORAMA_X =
  'CroppedAreaImageWidthPixels FullPanoWidthPixels CroppedAreaLeftPixels LargestValidInteriorRectLeft ' +
  'LargestValidInteriorRectWidth'
const PANORAMA_Y =
  'CroppedAreaImageHeightPixels FullPanoHeightPixels CroppedAreaTopPixels LargestValidInteriorRectTop ' +
  'LargestValidInteriorRectHeight'

/** Relative to the picture, and so true of a scaled one. */
const unlessTurned: Fitter = (value, { isTurned, scale }) => (isTurned || scale === null ? null : value)
const never: Fitter = () => null

const inPixels = (namespace: string, ...names: string[]): [string, Fitter][] =>
  names.map((name) => [namespace + name, never])

/** What refers to places in the picture, or to its size. */
const IF_MOVED = new Map<string, Fitter>([
  ...inPixels(EXIF, 'SubjectArea', 'SubjectLocation', 'FocalPlaneXResolution', 'FocalPlaneYResolution'),
  [`${XMP}Thumbnails`, unlessTurned],
  [`${IPTC_EXT}ImageRegion`, (value, fit) => (textsOf(value).includes('pixel') ? null : unlessTurned(value, fit))],
  ['http://www.metadataworkinggroup.com/schemas/regions/Regions', unlessTurned],
  ['http://ns.acdsee.com/regions/Regions', unlessTurned],
  ['http://ns.microsoft.com/photo/1.2/RegionInfo', unlessTurned],
  ['http://ns.apple.com/faceinfo/1.0/Regions', unlessTurned],
  // Of a drone's camera.
  ...inPixels(
    'http://www.dji.com/drone-dji/1.0/',
    'CalibratedFocalLength',
    'CalibratedOpticalCenterX',
    'CalibratedOpticalCenterY',
    'DewarpData',
  ),
  ...PANORAMA_X.split(' ').map((name): [string, Fitter] => [GPANO + name, scaled('x')]),
  ...PANORAMA_Y.split(' ').map((name): [string, Fitter] => [GPANO + name, scaled('y')]),
])

/** The properties with all that describes the stored pixels fitted to those of another file of the picture. */
export function fitXmp(properties: readonly XmpProperty[], fit: Fit): XmpProperty[] {
  const isMoved = !isUnmoved(fit)
  const isPanorama = fit.scale !== null && !fit.isTurned
  return properties.flatMap((property): XmpProperty[] => {
    const key = property.namespace + property.name
    if (isMoved && property.namespace === GPANO && !isPanorama) return []
    const fitter = ALWAYS.get(key) ?? (isMoved ? IF_MOVED.get(key) : undefined)
    if (fitter === undefined) return [property]
    const value = fitter(property.value, fit)
    return value === null ? [] : [{ ...property, value }]
  })
}
