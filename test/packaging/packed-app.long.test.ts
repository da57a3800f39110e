import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll, extractFile, listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderForAll } from '../temp-folder.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
/** What marks the fuses in Electron's binary, then version, count, and one byte for each fuse: '0' off, '1' on. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  devDependencies: { electron: string }
}

const folder = folderForAll()
let packed: string

/** A folder that looks like Electron's runtime to the packager; its binary holds nothing but fuses, all at their default. */
async function makeRuntime(dir: string): Promise<void> {
  await mkdir(join(dir, 'locales'), { recursive: true })
  await mkdir(join(dir, 'resources'))
  const wires = Buffer.from('1111100011')
  await writeFile(
    join(dir, 'electron'),
    Buffer.concat([Buffer.from('#!/bin/sh\n'), Buffer.from(FUSE_SENTINEL), Buffer.from([1, wires.length]), wires]),
  )
  await chmod(join(dir, 'electron'), 0o755)
  await writeFile(join(dir, 'locales', 'en-US.pak'), '')
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) await writeFile(join(dir, name), '')
  await writeFile(join(dir, 'version'), devDependencies.electron)
}

beforeAll(async () => {
  const runtime = join(folder, 'runtime')
  await makeRuntime(runtime)
  const target = ['--linux', 'dir', '--x64', `-c.directories.output=${join(folder, 'dist')}`]
  await run(process.execPath, ['scripts/dist.mjs', ...target], {
    cwd: ROOT,
    env: { ...process.env, ELECTRON_DIST: runtime },
    maxBuffer: 64 * 1024 * 1024,
  })
  packed = join(folder, 'dist', 'linux-unpacked')
})

describe('the packed application', () => {
  test('is not made of another version of the runtime, or of any other folder', async () => {
    const other = join(folder, 'other')
    await mkdir(other)
    const dist = (...command: string[]) =>
      run(process.execPath, command, { cwd: ROOT, env: { ...process.env, ELECTRON_DIST: other } })
    const commands = [['scripts/dist.mjs'], ['scripts/dist-desktop.mjs', '--deb', '--out', join(folder, 'none')]]
    for (const command of commands)
      await expect(dist(...command)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no unpacked archive') as string,
      })
    await writeFile(join(other, 'version'), '1.2.3')
    for (const command of commands)
      await expect(dist(...command)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Electron 1.2.3') as string,
      })
    expect(await readdir(join(folder, 'none'))).toEqual([])
  })

  test('holds everything that runs and nothing that does not', () => {
    const files = listPackage(join(packed, 'resources', 'app.asar'), { isPack: false }).map((path) =>
      path.replaceAll('\\', '/'),
    )
    for (const name of ['index', 'cli', 'image-worker', 'practice', 'keychain-probe'])
      expect(files).toContain(`/out/main/${name}.js`)
    expect(files).toContain('/out/preload/index.cjs')
    expect(files).toContain('/out/renderer/index.html')
    expect(files.filter((path) => path.startsWith('/resources/samples/')).length).toBeGreaterThan(5)
    expect(
      files.filter((path) => path.endsWith('.map') || path.startsWith('/src/') || path.startsWith('/test/')),
    ).toEqual([])
    const binaries = files.filter((path) => path.includes('/prebuilds/') && path.includes('.node'))
    expect(binaries.filter((path) => !/\/prebuilds\/linux-x64[/.]/.test(path))).toEqual([])
    // Bundled, or of use to developers only.
    for (const name of ['react', 'leaflet', 'fastify', 'undici', 'zod', 'vitest', 'electron', 'typescript'])
      expect(files).not.toContain(`/node_modules/${name}/package.json`)
    expect(files.filter((path) => /^\/node_modules\/node(?:-linux|-win|$)/.test(path))).toEqual([])
  })

  test('brings the licences of the packages that are bundled', () => {
    const archive = join(packed, 'resources', 'app.asar')
    for (const [part, names] of [
      ['main', ['fastify', 'undici', 'zod', 'commander', 'chokidar']],
      ['renderer', ['react', 'leaflet', 'zustand']],
    ] as const) {
      const licenses = extractFile(archive, `out/${part}/licenses.md`).toString()
      for (const name of names)
        expect(licenses).toMatch(new RegExp(`^## ${name} - [0-9.]+ \\((?:MIT|BSD-2-Clause)\\)$`, 'm'))
      expect(licenses).toMatch(/Permission is hereby granted/)
    }
  })

  test('keeps native modules outside the archive, where the system can load them', async () => {
    const unpacked = join(packed, 'resources', 'app.asar.unpacked', 'node_modules')
    const found = (await readdir(unpacked, { recursive: true })).filter((path) => path.endsWith('.node'))
    for (const name of ['better-sqlite3', '@img', 'keytar'])
      expect(
        found.some((path) => path.startsWith(name)),
        `${name} in ${found.join(' ')}`,
      ).toBe(true)
    const archived = listPackage(join(packed, 'resources', 'app.asar'), { isPack: true })
    expect(archived.filter((line) => line.endsWith('.node') && !line.startsWith('unpack'))).toEqual([])
  })

  test('has the fuses of the checklist flipped', async () => {
    const fuses = await getCurrentFuseWire(join(packed, 'hangar-desktop'))
    const off = [
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableNodeCliInspectArguments,
      FuseV1Options.GrantFileProtocolExtraPrivileges,
      FuseV1Options.EnableCookieEncryption,
    ]
    const on = [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, FuseV1Options.OnlyLoadAppFromAsar]
    for (const fuse of off) expect(fuses[fuse], FuseV1Options[fuse]).toBe(FuseState.DISABLE)
    for (const fuse of on) expect(fuses[fuse], FuseV1Options[fuse]).toBe(FuseState.ENABLE)
  })

  /** One picture by the practice service, with the image worker and all else as children. */
  async function processOne(program: string, cli: string): Promise<void> {
    const place = await mkdtemp(join(folder, 'run-'))
    const pictures = join(place, 'pictures')
    await mkdir(pictures)
    await copyFile(join(ROOT, 'resources/samples/red-hangar.jpg'), join(pictures, 'red-hangar.jpg'))
    const args = [cli, 'run', '--practice', '--yes', '--json', '--data-dir', join(place, 'data'), pictures]
    const { stdout } = await run(program, args, { cwd: place, env: { PATH: process.env.PATH, HOME: place } })
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({ event: 'summary', done: 1, failed: 0 })
    expect(existsSync(join(pictures, 'red-hangar.jpg.alt.json'))).toBe(true)
  }

  test('processes a picture from the command line, from the packed files alone', async () => {
    const app = join(folder, 'app')
    extractAll(join(packed, 'resources', 'app.asar'), app)
    await processOne(process.execPath, join(app, 'out/main/cli.js'))
  })

  test('has beside its archive the plain Node, and all that it runs to process pictures', async () => {
    const beside = join(packed, 'resources')
    await processOne(join(beside, 'node'), join(beside, 'app.asar.unpacked/out/main/cli.js'))
    expect(existsSync(join(beside, 'LICENSE.node'))).toBe(true)
  })
})
