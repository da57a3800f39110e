import { describe, expect, it } from 'vitest'
import { addressOf, ownArguments, startOptions, wantsWindow } from '../../src/main/electron/start-options.ts'

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

  it('names a place of the page that is one, and whether to pause', () => {
    const asked = (...args: string[]) => {
      const options = startOptions(args, '/', env)
      return [addressOf(options), options.paused, wantsWindow(options)]
    }
    expect(asked()).toEqual([null, null, true])
    expect(asked('--show', 'jobs')).toEqual(['#/jobs', null, true])
    expect(asked('--show=chargers', '--pause')).toEqual(['#/chargers', true, true])
    expect(asked('--show', 'https://example.com')).toEqual([null, null, true])
    expect(asked('--pause')).toEqual([null, true, false])
    expect(asked('--pause', '--resume')).toEqual([null, false, false])
    expect(asked('--resume', 'a.jpg')).toEqual([null, false, true])
    expect(asked('--hidden', '--show', 'jobs')).toEqual(['#/jobs', null, false])
  })

  it('begins after the program, or after the program and the app in a checkout', () => {
    expect(ownArguments(['hangar', 'a'], true)).toEqual(['a'])
    expect(ownArguments(['electron', '.', 'a'], false)).toEqual(['a'])
  })

  it('takes no path with a NUL in it', () => {
    expect(startOptions(['a\0b'], '/', env).paths).toEqual([])
  })
})
