import { access, constants, rmdir, type FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import { FORBIDDEN, toDiskError } from './disk-error.ts'
import { openFolder, type FolderHandle } from './folder-handle.ts'
import { openRegularFile, openWithoutFollowing, whileOpen } from './regular-file.ts'
import { isHeldByAnother, openOriginals } from './kept-originals.ts'
import { discardStaged, stageFile } from './stage-file.ts'
import { takeAccess, type Loser } from './take-access.ts'

interface Original {
  path: string
  rootDir: string
  /** No file of it is staged at the moment. */
  jobId: string
  /** As for `replaceOriginal`. */
  replacer: string
}

/** Why `replaceOriginal` would fail or refuse, as far as that can be known beforehand. Leaves nothing behind. */
export async function whyNotReplaceable({ path, rootDir, jobId, replacer }: Original): Promise<Sentence | null> {
  const name = basename(path)
  const folder = await openFolder(rootDir, dirname(path)).catch(() => null)
  if (folder === null) return null
  const original = (await openRegularFile(folder.at(name)).catch(() => null))?.handle
  if (original === undefined) return null
  const why = async (): Promise<Sentence | null> => {
    const originals = await openOriginals(folder, false)
    if (originals !== null && (await isHeldByAnother(originals, replacer))) return describeLoss('another_hangar', name)
    if (await isProtected(folder, name)) return say('may_not_replace', { name })
    if (process.platform === 'win32') return null
    const loser = await tryAccess(original, { path, rootDir, jobId })
    return loser === null ? null : describeLoss(loser, name)
  }
  return whileOpen(original, why).catch((error: unknown) => {
    const { code, sentence } = toDiskError(error, dirname(path))
    if (code === 'not_writable') return sentence
    throw error
  })
}

const WHY = {
  owner: 'replace_takes_owner',
  others: 'replace_takes_others',
  another_hangar: 'replace_by_another',
} as const

export function describeLoss(loser: Loser | 'another_hangar', name: string): Sentence {
  return say(WHY[loser], { name })
}

/** Linux checks all that may forbid taking the name away before it notices that what is to be removed is not a folder. */
async function isProtected(folder: FolderHandle, name: string): Promise<boolean> {
  try {
    await (process.platform === 'linux' ? rmdir(folder.at(name)) : access(folder.self, constants.W_OK))
    return false
  } catch (error) {
    return FORBIDDEN.has(errorCode(error))
  }
}

async function tryAccess(
  from: FileHandle,
  { path, rootDir, jobId }: Omit<Original, 'replacer'>,
): Promise<Loser | null> {
  const where = { rootDir, targetDir: dirname(path), jobId, role: 'optimized' as const, maxBytes: 0 }
  const part = await stageFile(where, () => Promise.resolve())
  try {
    return await whileOpen(await openWithoutFollowing(part.partPath), (file) => takeAccess({ file, from, most: 7 }))
  } finally {
    await discardStaged(part)
  }
}
