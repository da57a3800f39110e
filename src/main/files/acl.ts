import type { FileHandle } from 'node:fs/promises'
import type { Acl } from '../core/carry-access.ts'
import { askGetfacl } from './ask-getfacl.ts'
import { GIVEN, runOnFiles } from './run-on-files.ts'

/** The access control list of a file, and whether new files in a folder are given one. */
interface FoundAcls {
  /** null: none; `hidden`: there is one that cannot be read; `unknown`: perhaps one. */
  acl: Acl | null | 'hidden' | 'unknown'
  isInherited: boolean
}

const NO_ACLS: FoundAcls = { acl: null, isInherited: false }

/**
 * Reads the lists of a file and of the folder that a new file is made in, which Node has no call for. `getfacl` reads them; without
 * it, `ls` of the GNU coreutils tells whether there are any. Only on Linux does a list change what a mode means.
 */
export async function readAcls(file: FileHandle, folder: FileHandle): Promise<FoundAcls> {
  if (process.platform !== 'linux') return NO_ACLS
  const read = (await askGetfacl([file, folder])) ?? (await startGetfacl([file, folder]))
  if (read !== null) {
    const [ofFile = '', ofFolder = ''] = read
    return { acl: parseAcl(ofFile), isInherited: /^default:/m.test(ofFolder) }
  }
  const listed = await runOnFiles('ls', ['-dlLU', '--time-style=+', '--', ...GIVEN], [file, folder])
  const [ofFile = '', ofFolder = ''] = listed?.split('\n') ?? []
  const hasAcl = (line: string) => line[10] === '+'
  if (listed === null) return { acl: 'unknown', isInherited: true }
  return { acl: hasAcl(ofFile) ? 'hidden' : null, isInherited: hasAcl(ofFolder) }
}

/** For a computer that has no `stdbuf`, or none that works. */
async function startGetfacl(files: readonly FileHandle[]): Promise<string[] | null> {
  const args = ['--omit-header', '--numeric', '--absolute-names', '--', ...GIVEN]
  return (await runOnFiles('getfacl', args, files))?.split('\n\n') ?? null
}

/** Gives the file this list and no other. False where that is not possible. */
export async function writeAcl(file: FileHandle, acl: Acl): Promise<boolean> {
  const done = await runOnFiles('setfacl', ['--set-file=-', '--', GIVEN[0]], [file], textOf(acl))
  return done !== null
}

/** Takes the list away that the file got from its folder. False where it may still have one. */
export async function removeAcl(file: FileHandle): Promise<boolean> {
  return (await runOnFiles('setfacl', ['--remove-all', '--', GIVEN[0]], [file])) !== null
}

const ENTRY = /^(user|group|mask|other):(\d*):([r-])([w-])([x-])/

/** Null for what a mode says as well. */
export function parseAcl(text: string): Acl | null {
  const acl: Acl = { owner: 0, group: 0, other: 0, mask: null, named: [] }
  const named: Acl['named'][number][] = []
  for (const line of text.split('\n')) {
    const [, tag, id, read, write, execute] = ENTRY.exec(line) ?? []
    if (tag === undefined) continue
    const perms = (read === 'r' ? 4 : 0) | (write === 'w' ? 2 : 0) | (execute === 'x' ? 1 : 0)
    if ((tag === 'user' || tag === 'group') && id !== '') named.push({ kind: tag, id: Number(id), perms })
    else if (tag === 'user') acl.owner = perms
    else if (tag === 'group') acl.group = perms
    else if (tag === 'mask') acl.mask = perms
    else acl.other = perms
  }
  return acl.mask === null && named.length === 0 ? null : { ...acl, named }
}

function textOf({ owner, group, other, mask, named }: Acl): string {
  const perms = (of: number) => `${of & 4 ? 'r' : '-'}${of & 2 ? 'w' : '-'}${of & 1 ? 'x' : '-'}`
  const entries = [
    `user::${perms(owner)}`,
    `group::${perms(group)}`,
    `other::${perms(other)}`,
    ...named.map((entry) => `${entry.kind}:${entry.id}:${perms(entry.perms)}`),
    ...(mask === null ? [] : [`mask::${perms(mask)}`]),
  ]
  return `${entries.join('\n')}\n`
}
