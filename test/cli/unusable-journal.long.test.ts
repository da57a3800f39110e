import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { openJournal } from '../../src/main/journal/journal.ts'
import { runCli } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

it.each([
  ['status', []],
  ['serve', ['--port', '0']],
  ['pause', []],
  ['run', ['--practice', 'pictures']],
  ['run', ['--practice', '--dry-run', 'pictures']],
])('A command whose journal is damaged ends with 2 and says which file to move: %s %s', async (command, args) => {
  const cwd = folderForAll()
  const dataDir = folderForAll()
  openJournal(dataDir).close()
  const journal = join(dataDir, 'journal.db')
  const bytes = await readFile(journal)
  // The sign of the version.
  bytes[60] = 0x80
  await writeFile(journal, bytes)
  const { code, stdout, stderr } = await runCli([command, ...args, '--data-dir', dataDir], { cwd })
  expect(stderr).toContain(`The journal ${journal} is damaged (user_version`)
  expect(stderr).toMatch(/move it and the files next to it that end in -wal and -shm elsewhere/)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(await readFile(journal)).toEqual(bytes)
})

describe('Facts for a report', () => {
  it('say that the journal cannot be read, into a file if that is wanted', async () => {
    const cwd = folderForAll()
    const dataDir = folderForAll()
    openJournal(dataDir).close()
    await writeFile(join(dataDir, 'journal.db'), 'no database'.repeat(500))
    const { code, stdout, stderr } = await runCli(['diagnostics', '--output', 'facts.json', '--data-dir', dataDir], {
      cwd,
    })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Written to facts.json.\n' })
    const facts = JSON.parse(await readFile(join(cwd, 'facts.json'), 'utf8')) as object
    expect(facts).toMatchObject({ unreadable: 'journal_damaged', journal: { bytes: 5500 } })
  })

  it('are there before anything was done, and then nothing is made', async () => {
    const cwd = folderForAll()
    const { code, stdout } = await runCli(['diagnostics', '--data-dir', 'data'], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ counts: { done: 0 }, log: [], journal: { bytes: null } })
    expect(await readdir(cwd)).toEqual([])
  })
})

it.each([
  ['serve', ['--port', '0']],
  ['run', ['--practice', 'pictures']],
])(
  'A command whose data folder holds a person’s other files ends with 2, says what to do, and leaves it as it was: %s %s',
  async (command, args) => {
    const cwd = folderForAll()
    const dataDir = folderForAll()
    await chmod(dataDir, 0o755)
    await writeFile(join(dataDir, 'letter.txt'), 'mine')
    const { code, stderr } = await runCli([command, ...args, '--data-dir', dataDir], { cwd })
    expect(stderr).toContain(`The data folder ${dataDir} has no journal, but other files, such as letter.txt.`)
    expect(code).toBe(2)
    expect(await readdir(dataDir)).toEqual(['letter.txt'])
    if (process.platform !== 'win32') expect((await stat(dataDir)).mode & 0o777).toBe(0o755)
  },
)
