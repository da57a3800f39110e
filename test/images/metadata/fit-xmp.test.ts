import { describe, expect, it } from 'vitest'
import { fitXmp } from '../../../src/main/images/metadata/fit-xmp.ts'
import { fitOf, type Shape } from '../../../src/main/images/metadata/picture-fit.ts'
import { EXIF, GPANO, IPTC_EXT, parseXmp, textsOf, type XmpProperty } from '../../../src/main/images/metadata/xmp.ts'

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

describe('regions', () => {
  const BOX = [0.1, 0.1, 0.2, 0.2]
  const original: Shape = { width: 200, height: 100, orientation: 6 }
  const relative = `${mwg(original, BOX)}${microsoft(BOX)}${iptc('relative', BOX)}`
  const subject = '<exif:SubjectArea><rdf:Seq><rdf:li>50</rdf:li><rdf:li>25</rdf:li></rdf:Seq></exif:SubjectArea>'
  const pixels = `${iptc('pixel', [20, 10, 40, 20])}${subject}`
  const fitted = (body: string, result: Shape | null) => fitXmp(properties(body), fitOf(original, result))

  it('stay where nothing moved, and in a picture that was scaled unless they count pixels', () => {
    expect(fitted(relative + pixels, original)).toEqual(properties(relative + pixels))
    expect(fitted(relative + pixels, { width: 100, height: 50, orientation: 6 })).toEqual(properties(relative))
  })

  it('are left out of a picture that was turned or cut, or of which nothing is known', () => {
    for (const result of [
      { width: 100, height: 200, orientation: 1 },
      { width: 100, height: 100, orientation: 6 },
      null,
    ])
      expect(fitted(relative + pixels, result)).toEqual([])
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
