import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { appendFile, lstat, mkdir, open, rename, symlink, truncate, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sniffImageType } from '../../src/main/images/image-type.ts'
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

  it('says changing for a file that was written over while it was read, at the same length', async () => {
    const dir = await tempFolder()
    const path = join(dir, 'a.jpg')
    await writeFile(path, 'before')
    // A clock that ticks every few milliseconds would give both versions one time.
    await utimes(path, 0, 0)
    const afterItsStat = () => {
      writeFileSync(path, 'beyond')
      return 1000
    }
    expect(await takeSnapshot(path, dir, afterItsStat)).toEqual({ kind: 'changing' })
  })

  it('never gives bytes that the file did not have at one moment, however it is written', async () => {
    const dir = await tempFolder()
    const path = join(dir, 'a.jpg')
    const block = Buffer.alloc(2_000_000, 1)
    await writeFile(path, block)
    const seen = new Set<string>()
    for (let round = 0; round < 25; round++) {
      const [outcome] = await Promise.all([takeSnapshot(path, dir), scribble(path, round)])
      // Just created, it is empty for a moment.
      if (outcome.kind === 'refused') expect(outcome.sizeBytes).toBe(0)
      else seen.add(outcome.kind)
      if (outcome.kind !== 'snapshot') continue
      expect(outcome.bytes.length).toBe(outcome.sizeBytes)
      expect(createHash('sha256').update(outcome.bytes).digest('hex')).toBe(outcome.sha256)
      expect(isOfOneMoment(Buffer.from(outcome.bytes), round), `mixed bytes in round ${round}`).toBe(true)
    }
    expect([...seen].every((kind) => ['snapshot', 'changing', 'gone'].includes(kind))).toBe(true)
  })
})

/** New bytes as far as they were written at that moment, and after them only those that were there before. */
function isOfOneMoment(bytes: Buffer, round: number): boolean {
  const first = bytes.subarray(0, 2_000_000)
  const old = first.findIndex((byte) => byte !== round)
  return old < 0 || new Set(first.subarray(old)).size === 1
}

/** One of the ways in which programs write, in turn: over it, behind it, instead of it. */
async function scribble(path: string, round: number): Promise<void> {
  const bytes = Buffer.alloc(2_000_000, round)
  if (round % 3 === 0) {
    const handle = await open(path, 'r+')
    for (let at = 0; at < bytes.length; at += 100_000) await handle.write(bytes, at, 100_000, at)
    await handle.close()
  } else if (round % 3 === 1) await appendFile(path, 'more')
  else {
    await writeFile(`${path}.new`, bytes)
    await rename(`${path}.new`, path)
    if (round % 2 === 0) {
      await unlink(path)
      await writeFile(path, bytes)
    }
  }
}

it('bytes of anything else are no picture, whatever they begin with', () => {
  for (const text of ['', 'GIF88a', 'RIFF0000WAVE', '%PDF', '\0\0\0\u0014ftypisom\0\0\0\0mp41', '<svg'])
    expect(sniffImageType(Buffer.from(text, 'latin1'))).toBeNull()
})
