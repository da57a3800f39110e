import { execFileSync } from 'node:child_process'
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { lstat, mkdir, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeSnapshot } from '../../src/main/files/snapshot.ts'
import { fingerprint, sha256, tempFolder } from './temp-folder.ts'

describe('takeSnapshot', () => {
  it('reads and hashes the file and leaves it as it was', async () => {
    const dir = await tempFolder()
    const path = join(dir, 'a.jpg')
    await writeFile(path, 'some bytes')
    const before = await fingerprint(path)
    const { ino, mtimeNs } = await lstat(path, { bigint: true })
    expect(await takeSnapshot(path, dir)).toMatchObject({
      kind: 'snapshot',
      bytes: Buffer.from('some bytes'),
      sha256: sha256('some bytes'),
      sizeBytes: 10,
      mtimeNs: `${mtimeNs}`,
      ino: `${ino}`,
    })
    expect(await fingerprint(path)).toBe(before)
  })

  it('refuses a file over the limit without reading it, and an empty one', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'big.jpg'), '')
    await truncate(join(dir, 'big.jpg'), 10_485_761)
    expect(await takeSnapshot(join(dir, 'big.jpg'), dir)).toMatchObject({ kind: 'refused', reason: 'too_large' })
    await truncate(join(dir, 'big.jpg'), 10_485_760)
    expect(await takeSnapshot(join(dir, 'big.jpg'), dir)).toMatchObject({ kind: 'snapshot', sizeBytes: 10_485_760 })
    await truncate(join(dir, 'big.jpg'), 0)
    expect(await takeSnapshot(join(dir, 'big.jpg'), dir)).toMatchObject({ kind: 'refused', reason: 'not_an_image' })
  })

  it('takes no link, folder, pipe or device, and does not hang on a pipe', async () => {
    const dir = await tempFolder()
    await writeFile(join(dir, 'real.jpg'), 'x')
    await symlink('real.jpg', join(dir, 'link.jpg'))
    await mkdir(join(dir, 'folder.jpg'))
    execFileSync('mkfifo', [join(dir, 'pipe.jpg')])
    for (const name of ['link.jpg', 'folder.jpg', 'pipe.jpg']) {
      expect(await takeSnapshot(join(dir, name), dir), name).toEqual({ kind: 'ignored' })
    }
    expect(await takeSnapshot('/dev/null', '/dev')).toEqual({ kind: 'ignored' })
  })

  it('ignores a file that is reached through a linked folder, and takes one whose root is', async () => {
    const dir = await tempFolder()
    const elsewhere = await tempFolder()
    await writeFile(join(elsewhere, 'a.jpg'), 'x')
    await symlink(elsewhere, join(dir, 'sub'))
    expect(await takeSnapshot(join(dir, 'sub', 'a.jpg'), dir)).toEqual({ kind: 'ignored' })
    expect(await takeSnapshot(join(dir, 'sub', 'a.jpg'), join(dir, 'sub'))).toMatchObject({ kind: 'snapshot' })
  })

  it('says gone for a file, or its folder, that is not there', async () => {
    const dir = await tempFolder()
    expect(await takeSnapshot(join(dir, 'none.jpg'), dir)).toEqual({ kind: 'gone' })
    expect(await takeSnapshot(join(dir, 'none', 'a.jpg'), join(dir, 'none'))).toEqual({ kind: 'gone' })
  })

  it.each<[how: string, change: (path: string) => void]>([
    ['written over, at the same length', (path) => writeFileSync(path, 'beyond')],
    ['written behind', (path) => appendFileSync(path, 'more')],
    ['cut short', (path) => truncateSync(path, 3)],
  ])('says changing for a file that is %s while it is read', async (_how, change) => {
    const dir = await tempFolder()
    const path = join(dir, 'a.jpg')
    await writeFile(path, 'before')
    // A clock that ticks every few milliseconds would give both versions one time.
    await utimes(path, 0, 0)
    const afterItsStat = () => {
      change(path)
      return 1000
    }
    expect(await takeSnapshot(path, dir, afterItsStat)).toEqual({ kind: 'changing' })
  })
})
