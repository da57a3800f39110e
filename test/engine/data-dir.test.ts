import { expect, it } from 'vitest'
import { defaultDataDir } from '../../src/main/engine/data-dir.ts'

it('the data folder is where each platform keeps the data of applications', () => {
  expect(defaultDataDir('linux', {}, '/home/me')).toBe('/home/me/.local/share/hangar')
  expect(defaultDataDir('linux', { XDG_DATA_HOME: '/data' }, '/home/me')).toBe('/data/hangar')
  expect(defaultDataDir('linux', { XDG_DATA_HOME: 'relative' }, '/home/me')).toBe('/home/me/.local/share/hangar')
  expect(defaultDataDir('darwin', {}, '/Users/me')).toBe('/Users/me/Library/Application Support/Hangar')
})
