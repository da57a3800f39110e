import { describe, expect, it } from 'vitest'
import { ownArguments, startOptions } from '../../src/main/electron/start-options.ts'

const env = { HANGAR_DATA_DIR: '/data' }

describe('what a start asks for', () => {
  it('is the paths that were named, absolute and each once', () => {
    const { paths } = startOptions(['a.jpg', '/b', '../c', 'a.jpg', ''], '/home/jo/pictures', env)
    expect(paths).toEqual(['/home/jo/pictures/a.jpg', '/b', '/home/jo/c'])
  })

  it('leaves what it does not know to Chromium, and takes everything after -- as a path', () => {
    const { paths, hidden } = startOptions(['--ozone-platform=x11', '--hidden', '--', '--hidden', '-x'], '/p', env)
    expect({ paths, hidden }).toEqual({ paths: ['/p/--hidden', '/p/-x'], hidden: true })
  })

  it('names the data folder by flag before the environment', () => {
    expect(startOptions(['--data-dir', '/d'], '/', env)).toMatchObject({ dataDir: '/d', paths: [] })
    expect(startOptions(['--data-dir=/e'], '/', env)).toMatchObject({ dataDir: '/e' })
    expect(startOptions([], '/', env)).toMatchObject({ dataDir: '/data', hidden: false })
  })

  it('begins after the program, or after the program and the app in a checkout', () => {
    expect(ownArguments(['hangar', 'a'], true)).toEqual(['a'])
    expect(ownArguments(['electron', '.', 'a'], false)).toEqual(['a'])
  })

  it('takes no path with a NUL in it', () => {
    expect(startOptions(['a\0b'], '/', env).paths).toEqual([])
  })
})
