import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { describeWith, itWith, LINUX_ROOT, POSIX } from '../needs.ts'
import { CHARGERS_FOLDER } from '../../src/main/chargers/charger-cache.ts'
import { SET_ASIDE_FOLDER } from '../../src/main/files/set-aside.ts'
import { lockDataFolder, LOCK_NAME, prepareDataFolder } from '../../src/main/journal/data-folder.ts'
import { JOURNAL_NAME, openJournal, openJournalForReading } from '../../src/main/journal/journal.ts'
import { openRotatingFile } from '../../src/main/log/rotating-file.ts'
import { PREVIEWS_FOLDER } from '../../src/main/page/thumb-cache.ts'
import { folderForTest } from '../temp-folder.ts'

const ANOTHER_USER = 65_534

let base: string
let dir: string
beforeEach(() => {
  base = folderForTest()
  dir = join(base, 'data')
  mkdirSync(dir)
  chmodSync(dir, 0o755)
})

const modeOf = (path: string) => statSync(path).mode & 0o7777
const refused = (code: string) => ({ code: 'data_folder_unusable', sentence: { code } })
const errorOf = (act: () => unknown) => {
  try {
    act()
    return null
  } catch (error) {
    return error
  }
}

describeWith(POSIX)('a folder for the data', () => {
  it('that is there and empty is taken, for its owner alone', async () => {
    await prepareDataFolder(dir)
    expect(modeOf(dir)).toBe(0o700)
    const lock = lockDataFolder(dir)
    const db = openJournal(dir)
    db.exec('CREATE TABLE written (id)')
    const files = readdirSync(dir).filter((name) => /db/.test(name))
    expect(files).toEqual(expect.arrayContaining([LOCK_NAME, JOURNAL_NAME, `${JOURNAL_NAME}-wal`]))
    for (const name of files) expect(modeOf(join(dir, name)), name).toBe(0o600)
    db.close()
    lock.release()
  })

  it('may hold what Hangar makes before or without a journal, and what systems put anywhere', async () => {
    const names = [LOCK_NAME, PREVIEWS_FOLDER, SET_ASIDE_FOLDER, CHARGERS_FOLDER, 'logs', 'profile', 'browser']
    for (const name of [...names, `${JOURNAL_NAME}.damaged`, 'window.json', 'lost+found', '.cache'])
      mkdirSync(join(dir, name))
    await prepareDataFolder(dir)
  })

  it('that holds other files and no journal is refused as it is', async () => {
    writeFileSync(join(dir, 'letter.txt'), 'mine')
    await expect(prepareDataFolder(dir)).rejects.toMatchObject(refused('data_folder_foreign'))
    expect([modeOf(dir), readdirSync(dir)]).toEqual([0o755, ['letter.txt']])
  })

  it('that holds other files beside the journal stays as open as it was', async () => {
    openJournal(dir).close()
    writeFileSync(join(dir, 'letter.txt'), 'mine')
    await prepareDataFolder(dir)
    expect(modeOf(dir)).toBe(0o755)
  })

  it('in which every user may write is refused as it is, empty or not', async () => {
    chmodSync(dir, 0o1777)
    await expect(prepareDataFolder(dir)).rejects.toMatchObject(refused('data_folder_shared'))
    expect(modeOf(dir)).toBe(0o1777)
  })

  itWith(LINUX_ROOT)('that is another user’s, or a file in it, is refused also for root', async () => {
    openJournal(dir).close()
    chownSync(join(dir, JOURNAL_NAME), ANOTHER_USER, ANOTHER_USER)
    await expect(prepareDataFolder(dir)).rejects.toMatchObject(refused('data_folder_planted'))
    chownSync(dir, ANOTHER_USER, ANOTHER_USER)
    await expect(prepareDataFolder(dir)).rejects.toMatchObject(refused('data_folder_anothers'))
    expect(modeOf(dir)).toBe(0o755)
  })

  itWith(LINUX_ROOT)('that is another user’s with all in it is not called a journal to remove', () => {
    openJournal(dir).close()
    for (const path of [dir, ...readdirSync(dir).map((name) => join(dir, name))])
      chownSync(path, ANOTHER_USER, ANOTHER_USER)
    writeFileSync(join(dir, LOCK_NAME), '')
    chownSync(join(dir, LOCK_NAME), ANOTHER_USER, ANOTHER_USER)
    for (const open of [() => openJournal(dir), () => openJournalForReading(dir), () => lockDataFolder(dir)])
      expect(errorOf(open)).toMatchObject(refused('data_folder_anothers'))
  })

  it.each(['journal.db', 'journal.db-wal', 'lock.db', 'logs', 'window.json', '.hangar-set-aside'])(
    'with a planted link for %s is refused',
    async (name) => {
      symlinkSync(join(base, 'elsewhere'), join(dir, name))
      await expect(prepareDataFolder(dir)).rejects.toMatchObject(refused('data_folder_link'))
    },
  )
})

describeWith(POSIX)('a link that is planted after the look', () => {
  const elsewhere = () => join(base, 'elsewhere')

  it.each(['', '-wal', '-shm', '-journal'])('is not followed for the journal%s and the lock%s', (suffix) => {
    symlinkSync(elsewhere(), join(dir, `journal.db${suffix}`))
    symlinkSync(elsewhere(), join(dir, `lock.db${suffix}`))
    for (const open of [() => openJournal(dir), () => openJournalForReading(dir), () => lockDataFolder(dir)])
      expect(errorOf(open)).toMatchObject(refused('data_folder_link'))
    expect(readdirSync(base)).toEqual(['data'])
  })

  it('is not followed for the log or its folder', () => {
    const lines = (folder: string) => openRotatingFile({ folder, name: 'hangar', maxBytes: 100, maxFiles: 2 })
    writeFileSync(elsewhere(), 'theirs')
    mkdirSync(join(dir, 'logs'))
    symlinkSync(elsewhere(), join(dir, 'logs', 'hangar.log'))
    lines(join(dir, 'logs')).write('a line\n')
    expect(readFileSync(elsewhere(), 'utf8')).toBe('theirs')
    mkdirSync(join(base, 'folder'))
    symlinkSync(join(base, 'folder'), join(dir, 'linked'))
    lines(join(dir, 'linked')).write('a line\n')
    expect(readdirSync(join(base, 'folder'))).toEqual([])
  })
})
