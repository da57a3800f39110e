import { expect, it } from 'vitest'
import { chosenTypes } from '../../src/main/cli/parse-options.ts'

it('the types that a watched folder also takes are named in any order, and none by none', () => {
  expect(chosenTypes('avif, TIFF')).toEqual(['tiff', 'avif'])
  expect(chosenTypes('avif')).toEqual(['avif'])
  expect(chosenTypes('none')).toEqual([])
  for (const text of ['', 'heic', 'tiff,heic', 'tif'])
    expect(() => chosenTypes(text)).toThrow('Give tiff, avif or both, as in: tiff,avif. none stands for neither.')
})
