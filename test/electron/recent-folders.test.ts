import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recentFolders } from '../../src/main/electron/recent-folders.ts'
import { quietLogger } from '../watch/folder-harness.ts'
import { folderForAll } from '../temp-folder.ts'

const dataDir = folderForAll()
const file = join(dataDir, 'recent.json')

const SYSTEM = { addRecentDocument: () => undefined, clearRecentDocuments: () => undefined }
const open = (platform: NodeJS.Platform = 'linux', system = SYSTEM) =>
  recentFolders({ dataDir, log: quietLogger, system, platform })

it('are eight, newest first, each once, and known after a restart', () => {
  const recent = open()
  const all = Array.from({ length: 10 }, (_, n) => `/shoots/${n}`)
  for (const folder of all) recent.add([folder])
  recent.add(['/shoots/5/'])
  expect(recent.list()).toEqual([5, 9, 8, 7, 6, 4, 3, 2].map((n) => `/shoots/${n}`))
  expect(open().list()).toEqual(recent.list())
  expect(statSync(file).mode & 0o077).toBe(0)
})

it('tell what shows them of changes alone', () => {
  const recent = open()
  let changes = 0
  recent.onChange(() => (changes += 1))
  recent.add([recent.list()[0]!])
  recent.forget('/elsewhere')
  expect(changes).toBe(0)
  recent.forget('/shoots/9')
  expect(recent.list()).not.toContain('/shoots/9')
  expect(changes).toBe(1)
})

it('leave nothing behind when they are cleared, in the list of the system neither', () => {
  const asked: string[] = []
  const system = {
    addRecentDocument: (path: string) => asked.push(path),
    clearRecentDocuments: () => asked.push('cleared'),
  }
  const recent = open('win32', system as never)
  recent.add(['/shoots/new'])
  recent.clear()
  expect(asked).toEqual(['/shoots/new', 'cleared'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([])
})

it('start empty where their file is damaged or is something else', () => {
  for (const text of ['{', '{"a":1}', '[1]', 'null', `[${'"/a",'.repeat(20_000)}"/b"]`]) {
    writeFileSync(file, text)
    expect(open().list()).toEqual([])
  }
})
