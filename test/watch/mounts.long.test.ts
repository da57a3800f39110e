import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeWith, LINUX_ROOT, programs } from '../needs.ts'
import { until } from '../until.ts'
import { FAST, FolderHarness } from './folder-harness.ts'

/* Drives that come and go, as FUSE and as a plain mount. Scans are far away: only looking at the place finds anything. */

const timing = { ...FAST, pollEveryMs: 600_000, missingRetryMs: 600_000 }

let at: FolderHarness
let source: string
const mounted: string[] = []

beforeEach(() => {
  at = new FolderHarness()
  source = join(at.base, 'source')
  mkdirSync(source)
})
afterEach(async () => {
  for (const path of mounted.splice(0)) execFileSync('umount', ['-l', path])
  await at.end()
})

function mount(command: string[], path: string): void {
  execFileSync(command[0]!, [...command.slice(1), source, path])
  mounted.push(path)
}

function unmount(path: string): void {
  execFileSync('umount', ['-l', path])
  mounted.splice(mounted.indexOf(path), 1)
}

const put = (name: string) => writeFileSync(join(source, name), 'picture')
const because = (code: string | null) => () => (at.watcher.state.because?.code ?? null) === code

describeWith(LINUX_ROOT, programs('bindfs'))('drives that come and go', () => {
  describe.each([
    ['FUSE', ['bindfs'], 'network_drive'],
    ['a plain mount', ['mount', '--bind'], null],
  ] as const)('a drive as %s', (_name, command, asRoot) => {
    it('that is a watched folder is said to be away, and what it has when it is back is found', async () => {
      put('a.jpg')
      mount([...command], at.root)
      await at.start({ timing })
      await until('it is taken in', () => at.taken.includes('a.jpg'))
      await until('it is known', because(asRoot))
      unmount(at.root)
      await until('it is said to be empty', because('emptied'))
      put('b.jpg')
      mount([...command], at.root)
      await until('the new one is taken in', () => at.taken.includes('b.jpg'))
      await until('it is as before', because(asRoot))
      expect(at.gone).toEqual([])
      expect(at.stable).toHaveLength(2)
    })
  })
})
