import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { tarGz, zip, type Entry } from '../../scripts/packages/archive.mjs'
import { collectPortable } from '../../scripts/packages/collect.mjs'
import { macNode } from '../../scripts/packages/mac-node.mjs'
import { ownTarget, TARGETS } from '../../scripts/packages/targets.mjs'
import { jsonLines } from '../cli/harness.ts'
import { describeWith, itWith, LINUX_ROOT, need } from '../needs.ts'
import { unzipped } from '../unzipped.ts'
import {
  isWine,
  makeFolder,
  setUpWindows,
  startProgram,
  toWindows,
  whatIsLacking,
  WINDOWS_NODE,
} from '../windows/windows.ts'

const execute = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
const SAMPLE = join(ROOT, 'resources/samples/red-hangar.jpg')
const MEGABYTE = 1e6
const own = ownTarget(process)

const entries: Entry[] = [
  { name: 'top/a', bytes: Buffer.from('first'), isProgram: true },
  { name: `top/${'long/'.repeat(24)}b.txt`, bytes: Buffer.alloc(1000, 'x'), isProgram: false },
  { name: 'top/Öffnen', bytes: Buffer.alloc(0), isProgram: false },
]

describe('archives', () => {
  it('have the same bytes for the same files, in whatever order they were found', () => {
    for (const pack of [tarGz, zip]) expect(pack(entries).equals(pack(entries.toReversed()))).toBe(true)
  })

  it('give back what was put in', async () => {
    expect(new Map(unzipped(zip(entries)))).toEqual(new Map(entries.map(({ name, bytes }) => [name, bytes])))
    const folder = makeFolder('tar')
    writeFileSync(join(folder, 'x.tar.gz'), tarGz(entries))
    expect(gunzipSync(tarGz(entries)).length % 512).toBe(0)
    await execute('tar', ['-xzf', 'x.tar.gz'], { cwd: folder })
    for (const { name, bytes } of entries) expect(readFileSync(join(folder, name))).toEqual(bytes)
  })
})

/** Everything that is in the package, laid out as an archive would be; resolves to its top folder. */
async function unpack(
  target: string,
  folder: string,
): Promise<{ top: string; packed: Buffer; besideNodeBytes: number }> {
  const { entries: collected, remove } = await collectPortable(target, '0.0.0')
  const packed = target.startsWith('win') ? zip(collected) : tarGz(collected)
  let besideNodeBytes = 0
  for (const { name, file, bytes, isProgram } of collected) {
    const content = bytes ?? readFileSync(file!)
    // Built here, and a path of this machine would name a person. What npm brings has its hash.
    if (name.includes('/app/out/')) expect(content.includes(ROOT), name).toBe(false)
    if (!/\/node(?:\.exe)?$/.test(name)) besideNodeBytes += content.length
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content, { mode: isProgram ? 0o755 : 0o644 })
  }
  remove()
  mustHaveLicences(join(folder, `hangar-0.0.0-${target}`))
  return { top: join(folder, `hangar-0.0.0-${target}`), packed, besideNodeBytes }
}

/** Node's, those of the packages that lie in it, and those of what is bundled. */
function mustHaveLicences(top: string): void {
  for (const name of ['LICENSE.node', 'app/out/main/licenses.md', 'app/out/renderer/licenses.md'])
    expect(existsSync(join(top, name)), name).toBe(true)
  const names = readdirSync(join(top, 'app/node_modules')).filter((name) => !name.startsWith('@'))
  for (const name of names) expect(readdirSync(join(top, 'app/node_modules', name)).join(), name).toMatch(/licen[cs]e/i)
}

/** What an unpacked Node for macOS looks like from outside; its program is a header. */
function makeMacNode(cpuType: number, version: string): string {
  const folder = makeFolder('mac-node')
  for (const name of ['bin', 'include/node']) mkdirSync(join(folder, name), { recursive: true })
  const header = Buffer.alloc(32)
  header.writeUInt32LE(0xfeedfacf, 0)
  header.writeUInt32LE(cpuType, 4)
  writeFileSync(join(folder, 'bin/node'), header)
  writeFileSync(join(folder, 'LICENSE'), 'of Node')
  const [major, minor, patch] = version.split('.')
  const lines = [`MAJOR_VERSION ${major}`, `MINOR_VERSION ${minor}`, `PATCH_VERSION ${patch}`]
  writeFileSync(join(folder, 'include/node/node_version.h'), lines.map((line) => `#define NODE_${line}\n`).join(''))
  return folder
}
const [ARM64, X64] = [0x0100000c, 0x01000007]

describe('the portable package for macOS', () => {
  it('takes its Node from a folder, with the binaries of that system and no other', async () => {
    const { entries: collected, remove } = await collectPortable('darwin-arm64', '0.0.0', makeMacNode(ARM64, '24.1.0'))
    remove()
    const names = collected.map(({ name }) => name.replace('hangar-0.0.0-darwin-arm64/', ''))
    expect(names).toEqual(expect.arrayContaining(['node', 'LICENSE.node', 'hangar', 'Open Hangar.command']))
    const native = names.filter((name) => /^app\/.*\.(?:node|dylib|so)$/.test(name))
    expect(native.filter((name) => !name.includes('darwin-arm64'))).toEqual([])
    expect(native.length).toBeGreaterThanOrEqual(4)
  })

  it('is not made of a Node for another processor, of an old one, or of any other folder', () => {
    expect(macNode(makeMacNode(ARM64, '22.22.0'), 'arm64').program).toMatch(/bin\/node$/)
    expect(() => macNode(makeMacNode(X64, '24.1.0'), 'arm64')).toThrow('macOS on arm64')
    expect(() => macNode(makeMacNode(X64, '22.21.1'), 'x64')).toThrow('22.21.1')
    expect(() => macNode(makeFolder('empty'), 'x64')).toThrow('include/node/node_version.h')
  })
})

describeWith(need('a system that portable packages are made for', own !== null))('the portable package', () => {
  itWith(LINUX_ROOT)('of this system runs for a fresh user, who has no Node', async () => {
    const folder = makeFolder('portable')
    chmodSync(folder, 0o755)
    const { top, packed, besideNodeBytes } = await unpack(own!, folder)
    expect(packed.length).toBeLessThan(75 * MEGABYTE)
    expect(besideNodeBytes).toBeLessThan(60 * MEGABYTE)
    const [home, tools] = [join(folder, 'home'), join(folder, 'tools')]
    for (const made of [home, tools]) mkdirSync(made)
    for (const name of ['dirname', 'readlink']) symlinkSync(join('/usr/bin', name), join(tools, name))
    copyFileSync(SAMPLE, join(home, 'picture.jpg'))
    for (const made of [home, join(home, 'picture.jpg')]) await execute('chown', ['65534:65534', made])
    symlinkSync(join(top, 'hangar'), join(home, 'linked'))
    const fresh = { uid: 65534, gid: 65534, cwd: home, env: { HOME: home, PATH: tools } }
    const { stdout } = await execute(join(home, 'linked'), ['run', '--practice', '--json', home], fresh)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ event: 'summary', done: 1 })
    expect(readdirSync(home)).toContain('picture.webp')
  })

  describeWith(whatIsLacking)('for Windows', () => {
    beforeAll(setUpWindows)

    it('runs by its launcher', async () => {
      const folder = makeFolder('portable windows')
      const { top, packed, besideNodeBytes } = await unpack('win-x64', folder)
      expect(packed.length).toBeLessThan(75 * MEGABYTE)
      expect(besideNodeBytes).toBeLessThan(60 * MEGABYTE)
      // 24 does not start under Wine 8.
      if (isWine) copyFileSync(WINDOWS_NODE, join(top, 'node.exe'))
      mkdirSync(join(folder, 'my pictures'))
      copyFileSync(SAMPLE, join(folder, 'my pictures', 'picture.jpg'))
      const command = [
        toWindows(join(top, 'hangar.cmd')),
        'run',
        '--practice',
        '--json',
        toWindows(join(folder, 'my pictures')),
      ]
      const ended = await startProgram('cmd', ['/c', 'call', ...command, '--data-dir', toWindows(join(folder, 'data'))])
        .ended
      expect(ended).toMatchObject({ code: 0, stderr: '' })
      expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ event: 'summary', done: 1 })
      expect(readdirSync(join(folder, 'my pictures'))).toContain('picture.webp')
    })
  })

  it('is made for every system whose Node is a package', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>
    }
    expect(
      Object.values(TARGETS)
        .flatMap(({ node }) => node ?? [])
        .sort(),
    ).toEqual(Object.keys(optionalDependencies).sort())
  })
})
