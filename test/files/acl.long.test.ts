import { execFileSync } from 'node:child_process'
import { mkdir, open, readFile, symlink, writeFile, type FileHandle } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { readAcls } from '../../src/main/files/acl.ts'
import { describeWith, programs } from '../needs.ts'
import { tempFolder } from './temp-folder.ts'

/** In a process of its own, as it is noted for one that no program can be kept running. */
const READ_TWICE = `
  const { open } = await import('node:fs/promises')
  const { readAcls } = await import(${JSON.stringify(resolve(import.meta.dirname, '../../src/main/files/acl.ts'))})
  const [file, folder] = [await open('listed.jpg', 'r'), await open('.', 'r')]
  const user = async () => (await readAcls(file, folder)).acl.named[0].id
  console.log(await user(), await user())
`

let dir: string
let starts: string

const whereIs = (name: string) => execFileSync('which', [name], { encoding: 'utf8' }).trim()

/** A path with nothing else on it, where each start of `getfacl` is noted. */
async function useOnly(...names: string[]): Promise<void> {
  const bin = join(dir, 'bin')
  await mkdir(bin)
  const noted = `#!/bin/sh\necho $$ >> ${starts}\nexec ${whereIs('getfacl')} "$@"\n`
  await writeFile(join(bin, 'getfacl'), noted, { mode: 0o755 })
  for (const name of names) await symlink(whereIs(name), join(bin, name))
  const before = process.env['PATH']
  process.env['PATH'] = bin
  onTestFinished(() => {
    process.env['PATH'] = before
  })
}

async function opened(path: string): Promise<FileHandle> {
  const handle = await open(path, 'r')
  onTestFinished(() => handle.close())
  return handle
}

async function picture(name: string, ...acl: string[]): Promise<FileHandle> {
  const path = join(dir, name)
  await writeFile(path, name, { mode: 0o640 })
  if (acl.length > 0) execFileSync('setfacl', ['-m', ...acl, path])
  return opened(path)
}

const startsOf = async () => (await readFile(starts, 'utf8').catch(() => '')).split('\n').filter(Boolean)

beforeEach(async () => {
  dir = await tempFolder()
  starts = join(dir, 'starts')
})

describeWith(programs('getfacl', 'setfacl', 'stdbuf'))('reading access control lists', () => {
  it('starts one program for many pictures, and another if that ends', async () => {
    const [bare, listed, odd] = [
      await picture('bare.jpg'),
      await picture('listed.jpg', 'u:64101:r,g:64110:rw'),
      await picture('# file: \n\nodd.jpg', 'u:64102:r'),
    ]
    execFileSync('setfacl', ['-d', '-m', 'u:64101:r', dir])
    const folder = await opened(dir)
    await mkdir(join(dir, 'plain'))
    execFileSync('setfacl', ['-b', join(dir, 'plain')])
    const plain = await opened(join(dir, 'plain'))
    const setfacl = whereIs('setfacl')
    await useOnly('stdbuf')
    const named = (user: number) => ({ acl: { named: [{ kind: 'user', id: user, perms: 4 }] }, isInherited: false })
    const asked = Array.from({ length: 20 }, async () => {
      expect(await readAcls(bare, folder)).toEqual({ acl: null, isInherited: true })
      const { acl, isInherited } = await readAcls(listed, plain)
      expect(isInherited).toBe(false)
      expect(acl).toMatchObject({ group: 4, other: 0, mask: 6, named: [{ id: 64_101 }, { kind: 'group', perms: 6 }] })
      expect(await readAcls(odd, plain)).toMatchObject(named(64_102))
    })
    await Promise.all(asked)
    const [first, ...more] = await startsOf()
    expect(more).toEqual([])
    process.kill(Number(first), 'SIGKILL')
    expect(await readAcls(odd, plain)).toMatchObject(named(64_102))
    execFileSync(setfacl, ['-m', 'u:64102:0', join(dir, '# file: \n\nodd.jpg')])
    expect(await readAcls(odd, plain)).toMatchObject({ acl: { named: [{ id: 64_102, perms: 0 }] } })
  })

  it('works without stdbuf, and with one that fails', async () => {
    await picture('listed.jpg', 'u:64101:r')
    await useOnly()
    for (const file of [[], ['exit 1']]) {
      for (const line of file) await writeFile(join(dir, 'bin/stdbuf'), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', READ_TWICE], { cwd: dir })
      expect(output.toString()).toBe('64101 64101\n')
    }
    expect(await startsOf()).toHaveLength(4)
  })
})
