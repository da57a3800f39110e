import { expect, it } from 'vitest'
import { chosenTypes } from '../../src/main/cli/parse-options.ts'

it('the types that a watched folder also takes are named in any order, and none by none', () => {
  expect(chosenTypes('avif, TIFF')).toEqual(['tiff', 'avif'])
  expect(chosenTypes('avif')).toEqual(['avif'])
  expect(chosenTypes('heic,tiff')).toEqual(['tiff', 'heic'])
  expect(chosenTypes('none')).toEqual([])
  for (const text of ['', 'heif', 'tiff,heics', 'tif'])
    expect(() => chosenTypes(text)).toThrow(
      'Give one or more of tiff, avif and heic, as in: tiff,heic. none stands for none of them.',
    )
})
