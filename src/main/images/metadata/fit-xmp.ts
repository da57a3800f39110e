import { fitIptcRegions, fitMicrosoftRegions, fitMwgRegions } from './fit-regions.ts'
import { isUnmoved, subjectIn, type Fit } from './picture-fit.ts'
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

const fitSubject: Fitter = (value, fit) => {
  const fitted = subjectIn(textsOf(value).map(Number), fit)
  if (fitted?.every((number) => Number.isFinite(number)) !== true) return null
  return { kind: 'Seq', items: fitted.map(text) }
}

/** A fraction. */
const fitFocalPlane =
  (axis: 'x' | 'y'): Fitter =>
  (value, { scale, swapsSides }) => {
    const [top, bottom = 1] = textsOf(value).join('').split('/').map(Number)
    if (scale === null || swapsSides || !Number.isFinite(top! / bottom)) return null
    return text(`${Math.round((top! / bottom) * scale[axis] * 1000)}/1000`)
  }

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

const unlessTurned: Fitter = (value, { isTurned }) => (isTurned ? null : value)
const never: Fitter = () => null

/** What refers to places in the picture, or to its size. */
const IF_MOVED = new Map<string, Fitter>([
  [`${EXIF}SubjectArea`, fitSubject],
  [`${EXIF}SubjectLocation`, fitSubject],
  [`${EXIF}FocalPlaneXResolution`, fitFocalPlane('x')],
  [`${EXIF}FocalPlaneYResolution`, fitFocalPlane('y')],
  [`${XMP}Thumbnails`, unlessTurned],
  [`${IPTC_EXT}ImageRegion`, fitIptcRegions],
  ['http://www.metadataworkinggroup.com/schemas/regions/Regions', fitMwgRegions],
  ['http://ns.acdsee.com/regions/Regions', fitMwgRegions],
  ['http://ns.microsoft.com/photo/1.2/RegionInfo', fitMicrosoftRegions],
  ['http://ns.apple.com/faceinfo/1.0/Regions', unlessTurned],
  // Of a drone's camera, in pixels.
  ...['CalibratedFocalLength', 'CalibratedOpticalCenterX', 'CalibratedOpticalCenterY', 'DewarpData'].map(
    (name): [string, Fitter] => [`http://www.dji.com/drone-dji/1.0/${name}`, never],
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
