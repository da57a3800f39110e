import { access, constants, lstat, readlink } from 'node:fs/promises'
import { isAbsolute, join, parse, resolve, sep } from 'node:path'
import process from 'node:process'

/** As many links as Linux follows. */
const MAX_LINKS = 40
const WRITE_BY_OTHERS = 0o022
const STICKY = 0o1000

/**
 * The first of the file, and each link and folder on the way to it, that others than this user and root may change; null if none, and on
 * Windows. As OpenSSH judges `authorized_keys`: a sticky or read-only folder gives nothing away. Throws what the file system does.
 */
export async function othersMayWrite(file: string): Promise<string | null> {
  const me = process.getuid?.()
  if (me === undefined) return null
  const isForeign = ({ uid }: { uid: number }) => uid !== me && uid !== 0
  const way = resolve(file).split(sep)
  const { root } = parse(resolve(file))
  let links = 0
  for (let path = root; ; path = join(path, way.shift() ?? '')) {
    const entry = await lstat(path)
    if (isForeign(entry)) return path
    if (entry.isSymbolicLink()) {
      if ((links += 1) > MAX_LINKS) throw new Error(`more than ${MAX_LINKS} links`)
      const target = await readlink(path)
      way.unshift(...target.split(sep))
      path = isAbsolute(target) ? root : join(path, '..')
    } else if (entry.isDirectory() && way.length > 0) {
      const isShared = (entry.mode & WRITE_BY_OTHERS) !== 0 && (entry.mode & STICKY) === 0
      if (isShared && !(await isReadOnly(path))) return path
    } else return (entry.mode & WRITE_BY_OTHERS) === 0 ? null : path
  }
}

const isReadOnly = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'EROFS',
  )
