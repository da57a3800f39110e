import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const DEMO = resolve(import.meta.dirname, '../../out/main/demo.js')

describe('the demonstration', () => {
  it('processes the sample pictures in a watched folder, shows what came of them, and ends by itself with 0', async () => {
    // Rejects for any other exit status.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [DEMO], { encoding: 'utf8' })
    const folder = /^Look at them: +(.+)$/m.exec(stdout)?.[1] ?? ''
    try {
      expect(stderr).toBe('')
      expect(stdout).toMatch(/8 pictures in \d+ s · .*→.*practice credits/)
      expect(stdout).toContain('(Übungstext)')
      // Why a file is not there.
      expect(stdout).toMatch(/^club-badge\.png .* not smaller /m)
      expect(stdout).toMatch(/^cockpit-view\.webp .* is WebP /m)
      const names = await readdir(folder)
      expect(names.filter((name) => name.endsWith('.alt.json'))).toHaveLength(8)
      expect(names.filter((name) => name.includes('-optimized.'))).toHaveLength(6)
      expect(names.filter((name) => name.includes('.part'))).toEqual([])
    } finally {
      if (folder !== '') await rm(dirname(folder), { recursive: true, force: true })
    }
  })
})
