import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'
import { childEnvironment } from '../child-environment.ts'
import { describeWith, LINUX_ROOT } from '../needs.ts'
import { CLI } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

/** A command that may open at most `files` files at once. */
async function limited(files: number, args: string[]) {
  const cwd = folderForAll()
  const dataDir = join(folderForAll(), 'new')
  const command = ['-n', String(files), ';', 'exec', process.execPath, CLI, ...args, '--data-dir', dataDir]
  const env = childEnvironment()
  const { status, stderr } = spawnSync('sh', ['-c', `ulimit ${command.join(' ')}`], { cwd, env, encoding: 'utf8' })
  return { status, stderr, dataDir }
}

describeWith(LINUX_ROOT)('A command that may open too few files at once', () => {
  it.each([[['run', '--practice', '.']], [['serve', '--practice', '--port', '0']], [['watch', '--practice', '.']]])(
    '%s ends with 71, says how to raise the limit, and makes nothing',
    async (args) => {
      const { status, stderr, dataDir } = await limited(34, args)
      expect(stderr).toContain('may open only 34 files at once here and needs 128')
      expect(stderr).toContain('ulimit -n 1024')
      expect({ status, made: existsSync(join(dataDir, 'journal.db')) }).toEqual({ status: 71, made: false })
    },
  )

  it('starts with 128', async () => {
    const { status } = await limited(128, ['run', '--practice', '.'])
    expect(status).toBe(0)
  })
})
