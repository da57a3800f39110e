import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { tarGz } from '../../scripts/packages/archive.mjs'
import { debianPackage } from '../../scripts/packages/deb/debian-package.mjs'
import { emptySecrets, signingFaults } from '../../scripts/packages/signing.mjs'
import { packageFault, projectFaults } from '../../scripts/packages/release-faults.mjs'
import { folderForAll } from '../temp-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = folderForAll()

const FIT = {
  version: '1.2.0',
  author: 'Jo Doe <jo@hangar.org>',
  homepage: 'https://hangar.org/',
  repository: { url: 'git+https://git.hangar.org/hangar.git' },
  bugs: 'https://git.hangar.org/hangar/issues',
}
const CHANGES = '# Changelog\n\n## 1.2.0 (2026-11-25)\n'

it('is refused without addresses, a maintainer and a date', () => {
  expect(projectFaults(FIT, CHANGES)).toEqual([])
  const { homepage: _, ...homeless } = FIT
  for (const [manifest, changes] of [
    [homeless, CHANGES],
    [{ ...FIT, bugs: 'http://git.hangar.org/issues' }, CHANGES],
    [{ ...FIT, repository: 'https://example.com/hangar' }, CHANGES],
    [{ ...FIT, author: 'The Hangar authors' }, CHANGES],
    [{ ...FIT, author: 'The Hangar authors <hangar@localhost>' }, CHANGES],
    [FIT, CHANGES.replace('1.2.0', '1x2.0')],
    [FIT, '## Unreleased\n'],
  ] as const)
    expect(projectFaults(manifest, changes)).toHaveLength(1)
  expect(projectFaults({ ...FIT, version: '1.2.0-test' }, '## 1.2.0-test (2026-11-25)\n')).toHaveLength(1)
})

it('is refused for a package that is for tests, under any name', () => {
  const write = (name: string, bytes: Buffer) => {
    writeFileSync(join(folder, name), bytes)
    return packageFault(join(folder, name))
  }
  const deb = (version: string, description: string) =>
    debianPackage({ fields: { Package: 'x', Version: version }, summary: 'x', description: [description], files: [] })
  const tar = (top: string) => tarGz([{ name: `${top}/version`, bytes: Buffer.from('1') }])
  const fault = expect.stringContaining('for tests') as string
  expect(write('a.deb', deb('1.2.0', 'Pictures, tested'))).toBe(null)
  expect(write('b.deb', deb('1.2.0~test', 'Pictures'))).toEqual(fault)
  expect(write('c.deb', deb('1.2.0', 'FOR TESTS ALONE, with Electron 33'))).toEqual(fault)
  expect(write('d.tar.gz', tar('hangar-desktop-1.2.0-linux-x64'))).toBe(null)
  expect(write('e.tar.gz', tar('hangar-desktop-1.2.0-test-linux-x64'))).toEqual(fault)
  expect(write('hangar-desktop-1.2.0-test-linux-x64.AppImage', Buffer.alloc(1))).toEqual(fault)
})

it('is refused for a package that is not signed, by the name of each secret that is missing', () => {
  const secrets = { CSC_LINK: 'a', CSC_KEY_PASSWORD: 'b', APPLE_ID: 'c', APPLE_APP_SPECIFIC_PASSWORD: 'd' }
  expect(signingFaults(['mac'], { ...secrets, APPLE_TEAM_ID: 'e' })).toEqual([])
  expect(signingFaults(['mac'], secrets)).toEqual([
    'The package for macOS is not notarized by Apple: APPLE_TEAM_ID is not set.',
  ])
  expect(signingFaults(['win'], { ...secrets, WIN_CSC_LINK: '' })).toEqual([
    'The package for Windows is not signed: WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD are not set.',
  ])
  expect(emptySecrets({ ...secrets, CSC_LINK: '', OTHER: '' })).toEqual(['CSC_LINK'])
  const env = { ...process.env, ...secrets, APPLE_TEAM_ID: '', CSC_LINK: '' }
  const refused = spawnSync(process.execPath, ['scripts/dist.mjs', '--mac', '--signed'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
  expect(refused.status).toBe(1)
  for (const name of ['CSC_LINK', 'APPLE_TEAM_ID']) expect(refused.stderr).toContain(name)
})
