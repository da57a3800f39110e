import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { describeWith, POSIX } from '../needs.ts'
import { servedAt } from '../../src/main/cli/serve.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { folderForTest } from '../temp-folder.ts'

const NOBODY = 65_534
let dir: string
beforeEach(async () => {
  dir = folderForTest()
  await chmod(dir, 0o755)
})

/** Root may do everything, so another user asks for it. */
async function asStranger<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid!(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

const refusal = (dataDir: string) =>
  servedAt(dataDir).then(
    (origin) => origin,
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  )

describeWith(POSIX)('the server of a data folder', () => {
  it('says that the folder is not for this user, instead of that nothing runs there', async () => {
    const dataDir = join(dir, 'data')
    await mkdir(dataDir)
    openJournal(dataDir).close()
    await chmod(dataDir, 0o000)
    const told = await asStranger(() => refusal(dataDir))
    await chmod(dataDir, 0o700)
    expect(told).toMatch(/^data_folder_unusable: The data folder .*data belongs to another user/)
  })

  it('says the same of a journal that is not for this user', async () => {
    openJournal(dir).close()
    await chmod(join(dir, 'journal.db'), 0o000)
    await chmod(dir, 0o777)
    expect(await asStranger(() => refusal(dir))).toMatch(/^data_folder_unusable: .*belongs to another user/)
  })

  it('says that a file is no folder, and of one that is not there that nothing runs there', async () => {
    await writeFile(join(dir, 'file'), '')
    expect(await refusal(join(dir, 'file'))).toMatch(/^data_folder_unusable: .*ENOTDIR/)
    expect(await refusal(join(dir, 'nowhere'))).toBeNull()
  })
})
