import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pictureNumber } from '../faults/pictures.ts'
import { describeWith, LINUX_ROOT, need, programs } from '../needs.ts'
import { folderForTest } from '../temp-folder.ts'

const CLI = resolve(import.meta.dirname, '../../out/main/cli.js')
let path = process.env['PATH']
/** Nobody else's: users and groups that exist for this test alone. */
const [SERVICE, OWNER, STRANGER, PHOTOS, OTHERS] = [64_101, 64_102, 64_103, 64_110, 64_111]

interface User {
  uid: number
  groups: number[]
}
const service: User = { uid: SERVICE, groups: [PHOTOS] }
const owner: User = { uid: OWNER, groups: [PHOTOS] }
const stranger: User = { uid: STRANGER, groups: [OTHERS] }
const superuser: User = { uid: 0, groups: [] }

function as({ uid, groups }: User, args: string[]): { status: number | null; output: string } {
  const list = groups.length === 0 ? ['--clear-groups'] : [`--groups=${groups.join(',')}`]
  // As the systemd unit does it.
  const limits = uid === 0 ? [] : ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const { status, stdout, stderr } = spawnSync(
    'setpriv',
    [`--reuid=${uid}`, `--regid=${uid}`, ...list, ...limits, 'sh', '-c', 'umask 0027; exec "$@"', 'sh', ...args],
    { encoding: 'utf8', env: { PATH: path, HOME: '/nonexistent' } },
  )
  return { status, output: `${stdout}${stderr}` }
}

const mayDo = (user: User, what: 'r' | 'w' | 'x', path: string) => as(user, ['test', `-${what}`, path]).status === 0
const MAY_BE_SOMEBODY = need(
  'root, to be several users',
  LINUX_ROOT === null && existsSync(CLI) && as(service, [process.execPath, CLI, '--version']).status === 0,
)

let base: string
let dir: string
let picture: string

beforeEach(async () => {
  path = process.env['PATH']
  base = folderForTest()
  chmodSync(base, 0o755)
  dir = join(base, 'photos')
  mkdirSync(dir)
  give(dir, 0, PHOTOS, 0o770)
  picture = await addPicture('p.jpg', OWNER, PHOTOS, 0o640)
})
afterEach(() => {
  spawnSync('chattr', ['-R', '-i', '-a', base], { stdio: 'ignore' })
})

function give(path: string, uid: number, gid: number, mode: number): void {
  chownSync(path, uid, gid)
  chmodSync(path, mode)
}

async function addPicture(name: string, uid: number, gid: number, mode: number): Promise<string> {
  const path = join(dir, name)
  writeFileSync(path, await pictureNumber(1))
  give(path, uid, gid, mode)
  return path
}

function hangar(user: User, ...args: string[]): { status: number | null; output: string } {
  const data = join(base, `data-${user.uid}`)
  if (!existsSync(data)) mkdirSync(data)
  give(data, user.uid, user.uid, 0o700)
  return as(user, [process.execPath, CLI, ...args, '--data-dir', data])
}
const replaceAs = (user: User) =>
  hangar(user, 'run', '--practice', '--yes', '--operation', 'optimize', '--output', 'replace', dir)
const convertAs = (user: User) => hangar(user, 'run', '--operation', 'convert', '--if-larger', 'keep', dir)

/** As on a computer without the GNU coreutils. */
function hideCp(): void {
  path = join(base, 'bin')
  mkdirSync(path)
  for (const name of ['setpriv', 'sh'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(path, name))
}
/** The service's own file, of a group that the service has left. */
const losePhotosGroup = () => give(picture, SERVICE, OTHERS, 0o640)
function losePrograms(): void {
  give(picture, SERVICE, PHOTOS, 0o640)
  hideCp()
}
const chattr = (flag: string, of: string) => execFileSync('chattr', [flag, of])
const state = () => [readdirSync(dir).sort(), who(picture), lstatSync(picture).ino]

const mode = (path: string) => (lstatSync(path).mode & 0o7777).toString(8)
const who = (path: string) => `${lstatSync(path).uid}:${lstatSync(path).gid} ${mode(path)}`
const acl = (of: string) =>
  execFileSync('getfacl', ['-ncp', of], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .sort()
/** But for the note of which Hangar replaces here: it says nothing of a picture. */
const everything = () =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name !== 'replaced-by')
    .map((entry) => join(entry.parentPath, entry.name))
const kept = () => everything().find((path) => path.includes('.hangar-originals/') && !path.endsWith('.json'))!

describeWith(MAY_BE_SOMEBODY, programs('setpriv'))('a service user in the group of the folder', () => {
  it.each([
    ['it', service],
    ['another user of the folder', owner],
  ])('replaces without locking the owner out, and %s gives the original back as it was', (_who, restorer) => {
    chmodSync(picture, 0o660)
    const before = lstatSync(picture)
    const { status, output } = replaceAs(service)
    expect(status, output).toBe(0)
    expect(lstatSync(picture).size).toBeLessThan(before.size)
    expect(lstatSync(picture)).toMatchObject({ uid: SERVICE, gid: PHOTOS })
    expect(mayDo(owner, 'r', picture) && mayDo(owner, 'w', picture)).toBe(true)
    for (const path of everything()) {
      expect(mayDo(owner, 'r', path), path).toBe(true)
      expect(mayDo({ uid: STRANGER, groups: [PHOTOS] }, 'r', path), path).toBe(true)
      expect(mayDo({ uid: STRANGER, groups: [PHOTOS] }, 'w', path), path).toBe(true)
      expect(mayDo(stranger, 'r', path), path).toBe(false)
    }
    expect(lstatSync(kept())).toMatchObject({ ino: before.ino, uid: OWNER, gid: PHOTOS, mode: before.mode })
    expect(hangar(restorer, 'restore', picture)).toMatchObject({ status: 0 })
    const expected = { ino: before.ino, uid: OWNER, gid: PHOTOS, mode: before.mode, mtimeMs: before.mtimeMs }
    expect(lstatSync(picture)).toMatchObject(expected)
    expect(readdirSync(join(dir, '.hangar-originals'))).toEqual([])
  })

  it('gives back owner, group and mode as root', () => {
    expect(replaceAs(superuser).status).toBe(0)
    const files = everything().filter((path) => lstatSync(path).isFile())
    expect(files.map(who)).toContain(`${OWNER}:${PHOTOS} 640`)
    for (const path of everything())
      expect(who(path), path).toMatch(lstatSync(path).isFile() ? /^64102:64110 640$/ : /^0:64110 770$/)
    expect(convertAs(superuser).status).toBe(0)
    for (const path of everything().filter((found) => lstatSync(found).isFile()))
      expect(who(path)).toBe('64102:64110 640')
  })

  const cannot: [string, () => void, RegExp][] = [
    ['a file that may not be changed', () => chattr('+i', picture), /does not let Hangar replace p\.jpg/],
    ['a file that may only grow', () => chattr('+a', picture), /does not let Hangar replace p\.jpg/],
    ['a folder that may only grow', () => chattr('+a', dir), /does not let Hangar replace p\.jpg/],
    ['a sticky folder', () => give(dir, 0, PHOTOS, 0o1770), /does not let Hangar replace p\.jpg/],
    ['a folder that may not be written', () => give(dir, 0, PHOTOS, 0o750), /does not let Hangar replace p\.jpg/],
    ['an owner who would be locked out', () => undefined, /The owner of p\.jpg could not use what replaces it/],
    ['a group that would be', losePhotosGroup, /Others could not use what replaces p\.jpg/],
    ['where nothing can carry access', losePrograms, /Others could not use what replaces p\.jpg/],
  ]
  it.each(cannot)('is not paid to replace %s', (_what, prepare, why) => {
    prepare()
    const before = state()
    const { status, output } = replaceAs(service)
    expect(output).toMatch(why)
    expect(output).toMatch(/1 held · 0 requests/)
    expect(status).toBe(1)
    expect(state()).toEqual(before)
  })
})

describeWith(MAY_BE_SOMEBODY, programs('setpriv', 'getfacl', 'setfacl'))('access control lists', () => {
  const setAcl = (...args: string[]) => execFileSync('setfacl', args)
  const files = () => everything().filter((path) => lstatSync(path).isFile())

  it('are kept for results and replacements, and open them to nobody else', () => {
    give(picture, SERVICE, PHOTOS, 0o600)
    setAcl('-m', `u:${STRANGER}:r`, picture)
    expect(convertAs(service)).toMatchObject({ status: 0 })
    expect(replaceAs(service)).toMatchObject({ status: 0 })
    expect(files()).toHaveLength(5)
    for (const path of files()) {
      expect(acl(path), path).toEqual(
        ['user::rw-', `user:${STRANGER}:r--`, 'group::---', 'mask::r--', 'other::---'].sort(),
      )
      expect(mayDo(owner, 'r', path), path).toBe(false)
    }
  })

  it('of the folder do not open results', () => {
    give(picture, SERVICE, PHOTOS, 0o640)
    setAcl('-d', '-m', `u:${STRANGER}:rwx`, dir)
    expect(convertAs(service)).toMatchObject({ status: 0 })
    expect(replaceAs(service)).toMatchObject({ status: 0 })
    expect(files()).toHaveLength(5)
    for (const path of files()) expect(acl(path), path).toEqual(['user::rw-', 'group::r--', 'other::---'].sort())
  })

  it('are not taken for group bits where the group cannot be kept', () => {
    give(picture, SERVICE, OTHERS, 0o604)
    setAcl('-m', `u:${STRANGER}:rw`, picture)
    expect(mode(picture)).toBe('664')
    expect(convertAs(service)).toMatchObject({ status: 0 })
    for (const path of files().filter((found) => found !== picture)) {
      expect(mayDo({ uid: OWNER, groups: [SERVICE] }, 'w', path), path).toBe(false)
      expect(mayDo(stranger, 'w', path), path).toBe(false)
    }
  })

  it('make results private where they cannot be read', () => {
    give(picture, SERVICE, PHOTOS, 0o600)
    setAcl('-m', `u:${STRANGER}:r`, picture)
    hideCp()
    expect(convertAs(service)).toMatchObject({ status: 0 })
    for (const path of files().filter((found) => found !== picture)) expect(mode(path), path).toBe('600')
    expect(replaceAs(service).output).toMatch(/Others could not use what replaces p\.jpg/)
  })
})
