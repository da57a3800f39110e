import { spawnSync } from 'node:child_process'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith, STRACE } from '../needs.ts'
import { ORIGINALS_FOLDER, keptOriginalsOf } from '../../src/main/files/kept-originals.ts'
import { partName, sweepLeftovers } from '../../src/main/files/leftovers.ts'
import { restoreOriginal } from '../../src/main/files/restore-original.ts'
import { childEnvironment } from '../child-environment.ts'
import { fingerprint, jobId, sha256, tempFolder } from './temp-folder.ts'

const CALLS = 'openat write pwrite64 fsync fchmod rename renameat2 link linkat unlink unlinkat mkdir mkdirat'.split(' ')
const PROGRAM = join(import.meta.dirname, 'crash-publishing.ts')
type What = 'publish' | 'exchange' | 'replace'
const MAX_PER_KIND = 40
const MAX_DESCRIPTORS = 64

/** Runs the program and kills it at the nth such call that touches one of our paths. True when it got to its end. */
function runKilledAt(call: string, n: number, what: What, dir: string): boolean {
  const original = `${sha256('old').slice(0, 16)}-out.jpg`
  const kept = [original, `${original}.json`, `${original}.json.draft`]
  const ours = ['', 'out.jpg', partName(jobId(1), 'optimized'), ORIGINALS_FOLDER]
  const touched = [...ours, ...kept.map((name) => join(ORIGINALS_FOLDER, name)), ...kept]
  // Calls go by the descriptor of a held folder; strace knows these paths as they are given.
  const descriptors = Array.from({ length: MAX_DESCRIPTORS }, (_, fd) => `/proc/self/fd/${fd}`)
  const paths = [dir, ...descriptors].flatMap((folder) =>
    touched.map((name) => (name === '' ? folder : join(folder, name))),
  )
  const strace = `-f -qq -o /dev/null -e trace=${call} -e inject=${call}:signal=KILL:when=${n}`.split(' ')
  const { status, signal } = spawnSync(
    'strace',
    [...strace, ...paths.flatMap((path) => ['-P', path]), process.execPath, PROGRAM, what, dir, jobId(1)],
    // One thread for files: strace counts the calls of each thread apart.
    { env: { ...childEnvironment(), UV_THREADPOOL_SIZE: '1' } },
  )
  const killed = signal === 'SIGKILL' || status === 137
  if (!killed) expect(status).toBe(0)
  return !killed
}

/** Kills a run at every call there is, one after the other; strace counts each kind of call for itself. */
async function atEveryCall(
  what: What,
  prepare: (dir: string) => Promise<string>,
  check: (dir: string, before: string, at: string) => Promise<void>,
): Promise<number> {
  let kills = 0
  for (const call of CALLS) {
    for (let n = 1, finished = false; !finished; n++) {
      const dir = await tempFolder()
      const before = await prepare(dir)
      finished = runKilledAt(call, n, what, dir)
      if (!finished) kills += 1
      await check(dir, before, `${call} ${n}`)
      expect(n).toBeLessThan(MAX_PER_KIND)
    }
  }
  return kills
}

const WAYS = ['publish', 'exchange'] as const

describeWith(STRACE)('killed at each system call', () => {
  it.each(WAYS)(
    '%s leaves the old output or the new one whole, no part, and a foreign file untouched',
    async (what) => {
      const prepare = async (dir: string) => {
        await writeFile(join(dir, 'out.jpg'), 'old')
        await writeFile(join(dir, 'photo.jpg'), 'original')
        return fingerprint(join(dir, 'photo.jpg'))
      }
      const kills = await atEveryCall(what, prepare, async (dir, before, at) => {
        const crashed = await readFile(join(dir, 'out.jpg'), 'utf8').catch(() => null)
        expect([null, 'old', 'new'], at).toContain(crashed)
        await sweepLeftovers(dir, { isLive: () => false })
        expect((await readdir(dir)).sort(), at).toEqual(['out.jpg', 'photo.jpg'])
        expect(['old', 'new'], at).toContain(await readFile(join(dir, 'out.jpg'), 'utf8'))
        expect(await fingerprint(join(dir, 'photo.jpg')), at).toBe(before)
      })
      expect(kills, 'the calls are really hit').toBeGreaterThan(what === 'publish' ? 12 : 8)
    },
  )

  it('replacing leaves the original in its place or kept, the same inode, and restoring brings it back', async () => {
    const prepare = async (dir: string) => {
      await writeFile(join(dir, 'out.jpg'), 'old')
      return fingerprint(join(dir, 'out.jpg'))
    }
    const kills = await atEveryCall('replace', prepare, async (dir, before, at) => {
      const path = join(dir, 'out.jpg')
      await sweepLeftovers(dir, { isLive: () => false })
      expect(
        (await readdir(dir)).filter((name) => name.endsWith('.part')),
        at,
      ).toEqual([])
      if ((await fingerprint(path)) !== before) {
        expect(await readFile(path, 'utf8'), at).toBe('new')
        const [kept] = await keptOriginalsOf(path)
        expect(await fingerprint(kept?.filePath ?? ''), at).toBe(before)
        expect(await restoreOriginal(path), at).toMatchObject({ kind: 'restored' })
      }
      expect(await fingerprint(path), at).toBe(before)
    })
    expect(kills, 'the calls are really hit').toBeGreaterThan(12)
  })
})
