import { expect, it } from 'vitest'
import { fitXmp } from '../../../src/main/images/metadata/fit-xmp.ts'
import { fitOf } from '../../../src/main/images/metadata/picture-fit.ts'
import { DC, EXIF, GPANO, IPTC_EXT, type XmpProperty } from '../../../src/main/images/metadata/xmp.ts'

const property = (namespace: string, name: string): XmpProperty => ({
  namespace,
  name,
  value: { kind: 'text', text: '1', language: null },
})
const TITLE = property(DC, 'title')
const OF_PLACES = [
  property(EXIF, 'SubjectArea'),
  property(IPTC_EXT, 'ImageRegion'),
  property(GPANO, 'ProjectionType'),
  property('http://www.metadataworkinggroup.com/schemas/regions/', 'Regions'),
]

it('what refers to places in a picture stays where nothing moved, and goes where it was scaled, turned or cut', () => {
  const original = { width: 200, height: 100, orientation: 6 }
  const fitted = (result: typeof original | null) => fitXmp([TITLE, ...OF_PLACES], fitOf(original, result))
  expect(fitted(original)).toEqual([TITLE, ...OF_PLACES])
  for (const result of [
    { width: 100, height: 50, orientation: 6 },
    { width: 100, height: 200, orientation: 1 },
    { width: 100, height: 100, orientation: 6 },
    null,
  ])
    expect(fitted(result)).toEqual([TITLE])
})
