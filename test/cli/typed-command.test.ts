import { describe, expect, it } from 'vitest'
import { quoted, typedCommand } from '../../src/main/cli/serve.ts'

describe('a command that a person is asked to type', () => {
  const env = { HOME: '/home/anna', XDG_DATA_HOME: '/home/anna/.data' }

  it('names the data folder where it is not the usual one', () => {
    const typed = (dataDir: string, more = {}) =>
      typedCommand(['serve', '--link'], { dataDir, env: { ...env, ...more }, platform: 'linux' })
    expect(typed('/home/anna/.data/hangar')).toBe('hangar serve --link')
    // Another terminal does not have the variable.
    expect(typed('/srv/h', { HANGAR_DATA_DIR: '/srv/h' })).toBe('hangar serve --link --data-dir /srv/h')
    expect(typed('/srv/h', { HANGAR_RUN_AS: 'npm run -s hangar --' })).toBe(
      'npm run -s hangar -- serve --link --data-dir /srv/h',
    )
  })

  it.each([
    ['/plain/path-1_2', 'linux', '/plain/path-1_2'],
    ['/with space', 'linux', "'/with space'"],
    ["/it's; $(rm) `x`", 'linux', `'/it'\\''s; $(rm) \`x\`'`],
    ['~/x', 'darwin', "'~/x'"],
    ['C:\\Users\\Anna', 'win32', 'C:\\Users\\Anna'],
    ['C:\\Users\\Anna B', 'win32', '"C:\\Users\\Anna B"'],
  ] as const)('has %j as one word', (word, platform, text) => expect(quoted(word, platform)).toBe(text))
})
