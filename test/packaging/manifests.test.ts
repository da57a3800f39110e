import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { debianPackage } from '../../scripts/packages/deb/debian-package.mjs'
import { metainfo, menuEntry } from '../../scripts/packages/desktop/menu-entry.mjs'
import { flatpakManifest } from '../../scripts/packages/manifests/flatpak.mjs'
import { homebrewManifests } from '../../scripts/packages/manifests/homebrew.mjs'
import { describeRelease, type Release } from '../../scripts/packages/manifests/release.mjs'
import { wingetManifests } from '../../scripts/packages/manifests/winget.mjs'
import { itWith, LINUX, programs } from '../needs.ts'
import { folderForAll } from '../temp-folder.ts'

const MANIFEST = {
  version: '1.2.0',
  license: 'MIT',
  author: 'Jo "the #{pilot}" Doe <jo@hangar.org>',
  homepage: 'https://hangar.org/',
  repository: { url: 'git+https://code.hangar.org/hangar/hangar.git' },
  bugs: { url: 'https://code.hangar.org/hangar/hangar/issues' },
}
const CHANGELOG = '# Changelog\n\n## 1.2.0 (2026-11-25)\n'
const DOWNLOAD = 'https://code.hangar.org/hangar/hangar/releases/download/v1.2.0'
const NAMES = ['win-x64.exe', 'win-arm64.exe', 'mac-arm64.dmg', 'mac-x64.dmg'].map(
  (end) => `hangar-desktop-1.2.0-${end}`,
)
const NPM = 'hangar-1.2.0.tgz'
const DEB = 'hangar-desktop_1.2.0_amd64.deb'

const folder = folderForAll()
const at = (name: string) => join(folder, name)
const files = [...NAMES, NPM, DEB].map(at)
let release: Release

beforeAll(() => {
  for (const name of NAMES) writeFileSync(at(name), name)
  writeFileSync(at(NPM), execFileSync('gzip', { input: 'package/package.json' }))
  const text = (name: string, content: string, isProgram = false) => ({ name, bytes: Buffer.from(content), isProgram })
  const packed = [
    text('usr/lib/hangar-desktop/hangar-desktop', '#!/bin/sh\n', true),
    text('usr/share/applications/hangar-desktop.desktop', menuEntry()),
    text('usr/share/icons/hicolor/scalable/apps/hangar-desktop.svg', '<svg/>'),
    text('usr/share/metainfo/org.hangar.desktop.metainfo.xml', metainfo()),
  ]
  writeFileSync(at(DEB), debianPackage({ fields: {}, summary: 'x', description: ['x'], files: packed }))
  release = describeRelease({ manifest: MANIFEST, changelog: CHANGELOG, files }).release!
})

const sha256 = (name: string) =>
  createHash('sha256')
    .update(readFileSync(at(name)))
    .digest('hex')

it('names every file by the address, hash and size that it is released with', () => {
  expect(release).toMatchObject({ version: '1.2.0', date: '2026-11-25', publisher: 'Jo "the #{pilot}" Doe' })
  expect(Object.values(release.files)).toHaveLength(6)
  for (const { name, url, sha256: hash, size } of Object.values(release.files))
    expect([url, hash, size]).toEqual([`${DOWNLOAD}/${name}`, sha256(name), statSync(at(name)).size])
})

it('is not made of placeholders, of a version before a release, without a package or of one for tests', () => {
  const faults = (changes: object, given = files, changelog = CHANGELOG) =>
    describeRelease({ manifest: { ...MANIFEST, ...changes }, changelog, files: given }).faults
  expect(faults({})).toBe(undefined)
  expect(faults({ repository: undefined })).toEqual([expect.stringContaining('"repository"')])
  expect(faults({ homepage: 'https://hangar.org/"#{x}' })).toEqual([expect.stringContaining('characters')])
  expect(faults({}, files, '## Unreleased\n')).toEqual([expect.stringContaining('CHANGELOG.md')])
  expect(faults({ version: '1.2.0-rc.1' })).toContainEqual(expect.stringContaining('before a release'))
  const without = (name: string) => files.filter((file) => file !== at(name))
  for (const name of [NAMES[0]!, NAMES[2]!, NPM, DEB])
    expect(faults({}, without(name))).toEqual([`${name} is not among the files.`])
  expect(faults({}, without(NAMES[1]!))).toBe(undefined)
  const forTests = join(folder, 'for-tests', DEB)
  mkdirSync(dirname(forTests))
  const fields = { Package: 'hangar-desktop', Version: '1.2.0~test' }
  writeFileSync(forTests, debianPackage({ fields, summary: 'x', description: ['x'], files: [] }))
  expect(faults({}, [...files.slice(0, -1), forTests])).toEqual([`${DEB} is a package for tests.`])
})

it('tells winget of each processor and each language, with the texts as they are', () => {
  const all = Object.fromEntries(wingetManifests(release))
  expect(Object.keys(all).toSorted()).toEqual(
    ['.installer', ...['de-DE', 'en-US', 'es-ES', 'fr-FR', 'it-IT'].map((one) => `.locale.${one}`), ''].map(
      (part) => `Hangar.Hangar${part}.yaml`,
    ),
  )
  const installer = all['Hangar.Hangar.installer.yaml']!
  const one = (arch: string, name: string) =>
    `- Architecture: "${arch}"\n  InstallerUrl: "${DOWNLOAD}/${name}"\n  InstallerSha256: "${sha256(name).toUpperCase()}"\n`
  expect(installer).toContain(one('x64', NAMES[0]!) + one('arm64', NAMES[1]!))
  expect(all['Hangar.Hangar.locale.de-DE.yaml']).toMatch(/^ManifestType: "locale"$/m)
  expect(all['Hangar.Hangar.locale.de-DE.yaml']).toContain('Ordner voller Bilder')
  expect(all['Hangar.Hangar.locale.en-US.yaml']).toContain('Publisher: "Jo \\"the #{pilot}\\" Doe"\n')
})

itWith(programs('ruby'))('is Ruby for Homebrew, in which no text is code', () => {
  for (const [name, text] of homebrewManifests({ ...release, license: 'MIT #{exit 3}' })) {
    expect(execFileSync('ruby', ['-c'], { input: text, encoding: 'utf8' })).toBe('Syntax OK\n')
    for (const hash of name.startsWith('Casks') ? [NAMES[2]!, NAMES[3]!] : [NPM]) expect(text).toContain(sha256(hash))
  }
  const [[, cask]] = homebrewManifests(release) as [[string, string]]
  // What Homebrew would download, by a stand-in of its language.
  const stand = `def cask(_); yield; end
    def arch(arm:, intel:) = arm
    def method_missing(name, *given); name == :url ? puts(given) : (given.empty? ? { version: "1.2.0", arch: "arm64" }[name] : nil); end
    `
  const url = execFileSync('ruby', ['-W0', '-e', stand + cask.replace('#{arch}', 'arm64')], { encoding: 'utf8' })
  expect(url.trim()).toBe(release.files.macArm64.url)
})

itWith(LINUX, programs('ar', 'tar', 'sed'))('builds the Flatpak of what the Debian package has', () => {
  const [, text] = flatpakManifest(release)
  const { modules } = JSON.parse(text) as {
    modules: [{ 'build-commands': string[]; sources: { url?: string; sha256?: string; commands?: string[] }[] }]
  }
  const [{ 'build-commands': commands, sources }] = modules
  expect(sources[0]).toMatchObject({ url: `${DOWNLOAD}/${DEB}`, sha256: sha256(DEB) })
  expect(sources).toHaveLength(2)
  const [work, app] = [join(folder, 'build'), join(folder, 'app')]
  mkdirSync(work)
  writeFileSync(join(work, 'hangar.deb'), readFileSync(at(DEB)))
  writeFileSync(join(work, 'start.sh'), ['#!/bin/sh', ...sources[1]!.commands!, ''].join('\n'))
  for (const command of commands)
    execFileSync('sh', ['-e', '-c', command.replaceAll('/app/', `${app}/`)], { cwd: work, stdio: 'pipe' })
  for (const name of ['bin/hangar-desktop', 'lib/hangar-desktop/hangar-desktop'])
    expect(statSync(join(app, name)).mode & 0o111).toBe(0o111)
  expect(existsSync(join(app, 'share/icons/hicolor/scalable/apps/hangar-desktop.svg'))).toBe(true)
  const about = readFileSync(join(app, 'share/metainfo/org.hangar.desktop.metainfo.xml'), 'utf8')
  expect(about).toContain('<launchable type="desktop-id">org.hangar.desktop.desktop</launchable>')
})
