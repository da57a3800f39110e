import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { fitXmp } from '../../../src/main/images/metadata/fit-xmp.ts'
import { fitOf, type Shape } from '../../../src/main/images/metadata/picture-fit.ts'
import { EXIF, GPANO, IPTC_EXT, parseXmp, textsOf, type XmpProperty } from '../../../src/main/images/metadata/xmp.ts'
import { exifBlock, jpegWithExif } from '../pictures.ts'

const NAMESPACES =
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:mwg="http://www.metadataworkinggroup.com/schemas/regions/" ' +
  'xmlns:area="http://ns.adobe.com/xmp/sType/Area#" xmlns:dim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" ' +
  'xmlns:MP="http://ns.microsoft.com/photo/1.2/" xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" ' +
  `xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#" xmlns:ext="${IPTC_EXT}" xmlns:GPano="${GPANO}" xmlns:exif="${EXIF}"`
const properties = (body: string): XmpProperty[] =>
  parseXmp(Buffer.from(`<rdf:RDF ${NAMESPACES}><rdf:Description rdf:about="">${body}</rdf:Description></rdf:RDF>`))!
const list = (item: string): string => `<rdf:Bag><rdf:li rdf:parseType="Resource">${item}</rdf:li></rdf:Bag>`

/** The same rectangle, by its corner and its size, in each vocabulary. */
const mwg = ({ width, height }: { width: number; height: number }, [x, y, w, h]: number[]): string =>
  '<mwg:Regions rdf:parseType="Resource">' +
  `<mwg:AppliedToDimensions rdf:parseType="Resource"><dim:w>${width}</dim:w><dim:h>${height}</dim:h><dim:unit>pixel</dim:unit></mwg:AppliedToDimensions>` +
  `<mwg:RegionList>${list(`<mwg:Name>Ann</mwg:Name><mwg:Area area:x="${x! + w! / 2}" area:y="${y! + h! / 2}" area:w="${w}" area:h="${h}" area:unit="normalized"/>`)}</mwg:RegionList></mwg:Regions>`
const microsoft = (box: number[]): string =>
  `<MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions>${list(`<MPReg:Rectangle>${box.join(', ')}</MPReg:Rectangle>`)}</MPRI:Regions></MP:RegionInfo>`
const iptc = (unit: 'relative' | 'pixel', [x, y, w, h]: number[]): string =>
  `<ext:ImageRegion>${list(`<ext:RegionBoundary rdf:parseType="Resource"><ext:rbShape>rectangle</ext:rbShape><ext:rbUnit>${unit}</ext:rbUnit><ext:rbX>${x}</ext:rbX><ext:rbY>${y}</ext:rbY><ext:rbW>${w}</ext:rbW><ext:rbH>${h}</ext:rbH></ext:RegionBoundary>`)}</ext:ImageRegion>`

const numbersOf = (property: XmpProperty | undefined): number[] =>
  property === undefined
    ? []
    : textsOf(property.value).flatMap((text) => text.split(', ').map(Number).filter(Number.isFinite))

/** A picture with one bright rectangle, and where that is in it by its pixels, from 0 to 1. */
const [WIDTH, HEIGHT] = [200, 100]
const PLACE = { left: 20, top: 10, width: 60, height: 30 }
async function lying(orientation: number): Promise<Buffer> {
  const white = await sharp({ create: { width: PLACE.width, height: PLACE.height, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  const jpeg = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: 'black' } })
    .composite([{ input: white, left: PLACE.left, top: PLACE.top }])
    .jpeg({ quality: 100 })
    .toBuffer()
  return jpegWithExif(jpeg, exifBlock(orientation, 'II'))
}
async function brightIn(image: Buffer): Promise<number[]> {
  const { data, info } = await sharp(image).greyscale().raw().toBuffer({ resolveWithObject: true })
  const [xs, ys] = [new Set<number>(), new Set<number>()]
  for (const [at, value] of data.entries())
    if (value > 128) {
      xs.add(at % info.width)
      ys.add(Math.floor(at / info.width))
    }
  const [x, y] = [Math.min(...xs) / info.width, Math.min(...ys) / info.height]
  return [x, y, xs.size / info.width, ys.size / info.height]
}

describe('regions of a picture that was turned and scaled', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are where they were, by the pixels (orientation %i)', async (orientation) => {
    const original: Shape = { width: WIDTH, height: HEIGHT, orientation }
    const made = await sharp(await lying(orientation))
      .autoOrient()
      .resize({ width: orientation > 4 ? 50 : 100 })
      .png()
      .toBuffer({ resolveWithObject: true })
    const { width, height } = made.info
    const box = [PLACE.left / WIDTH, PLACE.top / HEIGHT, PLACE.width / WIDTH, PLACE.height / HEIGHT]
    const seen = await brightIn(made.data)
    const fit = fitOf(original, { width, height, orientation: 1 })
    const near = (actual: number[], wanted: readonly number[]): void => {
      expect(actual).toHaveLength(wanted.length)
      for (const [nth, value] of actual.entries()) expect(Math.abs(value - wanted[nth]!)).toBeLessThan(0.03)
    }
    const middle = [seen[0]! + seen[2]! / 2, seen[1]! + seen[3]! / 2, seen[2]!, seen[3]!]
    const shown = { width: orientation > 4 ? HEIGHT : WIDTH, height: orientation > 4 ? WIDTH : HEIGHT }
    for (const [body, wanted] of [
      [mwg(original, box), [width, height, ...middle]],
      [microsoft(box), seen],
      [iptc('relative', box), seen],
    ] as const)
      near(numbersOf(fitXmp(properties(body), fit)[0]), wanted)
    // Drawn on the picture as it is shown.
    if (orientation > 4) near(numbersOf(fitXmp(properties(mwg(shown, seen)), fit)[0]), [width, height, ...middle])
    const pixels = [PLACE.left, PLACE.top, PLACE.width, PLACE.height]
    const inPixels = numbersOf(fitXmp(properties(iptc('pixel', pixels)), fit)[0])
    near(
      inPixels.map((value, nth) => value / (nth % 2 === 0 ? width : height)),
      seen,
    )
    const area = [PLACE.left + PLACE.width / 2, PLACE.top + PLACE.height / 2, PLACE.width, PLACE.height]
    const items = area.map((value) => `<rdf:li>${value}</rdf:li>`).join('')
    const subject = numbersOf(
      fitXmp(properties(`<exif:SubjectArea><rdf:Seq>${items}</rdf:Seq></exif:SubjectArea>`), fit)[0],
    )
    near(
      subject.map((value, nth) => value / (nth % 2 === 0 ? width : height)),
      middle,
    )
  })

  it('are left out where they cannot be told, and stay where nothing moved', () => {
    const original: Shape = { width: 200, height: 100, orientation: 6 }
    const body = `${mwg(original, [0.1, 0.1, 0.2, 0.2])}${microsoft([0.1, 0.1, 0.2, 0.2])}${iptc('relative', [0.1, 0.1, 0.2, 0.2])}`
    const cut = fitOf(original, { width: 100, height: 100, orientation: 1 })
    expect(fitXmp(properties(body), cut)).toEqual([])
    expect(fitXmp(properties(body), fitOf(original, null))).toEqual([])
    expect(fitXmp(properties(body), fitOf(original, original))).toEqual(properties(body))
    const upright = fitOf(original, { width: 100, height: 200, orientation: 1 })
    expect(fitXmp(properties(microsoft([0.1, 0.1])), upright)).toEqual([])
    // Of another picture, as a crop leaves them: what they were drawn on is not known.
    expect(fitXmp(properties(mwg({ width: 70, height: 100 }, [0.1, 0.1, 0.2, 0.2])), upright)).toEqual([])
  })
})

describe('a panorama', () => {
  const sizes: Record<string, number> = {
    CroppedAreaImageWidthPixels: 400,
    CroppedAreaImageHeightPixels: 300,
    FullPanoWidthPixels: 800,
    FullPanoHeightPixels: 400,
    CroppedAreaLeftPixels: 200,
    CroppedAreaTopPixels: 50,
  }
  const body =
    '<GPano:ProjectionType>equirectangular</GPano:ProjectionType>' +
    Object.entries(sizes)
      .map(([name, value]) => `<GPano:${name}>${value}</GPano:${name}>`)
      .join('')

  it('has the sizes of the scaled picture', () => {
    const fit = fitOf({ width: 400, height: 300, orientation: 1 }, { width: 200, height: 150, orientation: 1 })
    const made = fitXmp(properties(body), fit)
    expect(Object.fromEntries(made.slice(1).map(({ name, value }) => [name, Number(textsOf(value)[0])]))).toEqual(
      Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, value / 2])),
    )
  })

  it('is none once it was turned or cut', () => {
    const original = { width: 400, height: 300, orientation: 6 }
    expect(fitXmp(properties(body), fitOf(original, { width: 300, height: 400, orientation: 1 }))).toEqual([])
    const upright = { ...original, orientation: 1 }
    expect(fitXmp(properties(body), fitOf(upright, { width: 300, height: 300, orientation: 1 }))).toEqual([])
  })
})
