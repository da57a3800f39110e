import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLog } from '../../src/main/log/log.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { LogTail } from '../../src/main/page/diagnostics.ts'
import { tempFolder } from '../files/temp-folder.ts'

describe('the last lines of the log', () => {
  it('are what the file has: no key, no whole path', async () => {
    const folder = await tempFolder()
    const tail = new LogTail()
    const log = openLog({ clock: realClock, target: { kind: 'file', folder }, also: (line) => tail.write(line) })
    log.hideSecret('canary-key-1234')
    log.info('looked at a picture', { path: '/home/ada/private/a.jpg', header: 'x canary-key-1234' })
    log.error('it failed', { error: new Error('canary-key-1234 in /home/ada/private/b.jpg') })
    log.close()
    const [name] = await readdir(folder)
    const file = await readFile(join(folder, name!), 'utf8')
    const shown = tail.since(0)
    expect(shown.map(({ level }) => level)).toEqual(['info', 'error'])
    for (const text of [file, JSON.stringify(shown), JSON.stringify(tail.last(10))]) {
      expect(text).not.toContain('canary-key-1234')
      expect(text).not.toContain('/home/ada')
    }
    expect(file.trimEnd().split('\n')).toHaveLength(2)
  })

  it('are two thousand, numbered on', () => {
    const tail = new LogTail()
    for (let n = 1; n <= 5000; n += 1)
      tail.write(`{"level":"info","time":"2026-11-21T10:00:00.000Z","message":"line ${n}"}\n`)
    const all = tail.since(0)
    expect([all.length, all[0]?.seq, all[0]?.text, all.at(-1)?.seq]).toEqual([2000, 3001, 'line 3001', 5000])
    expect(tail.since(4998).map(({ text }) => text)).toEqual(['line 4999', 'line 5000'])
    expect(tail.since(5000)).toEqual([])
  })

  it('leave out what is no line', () => {
    const tail = new LogTail()
    for (const line of ['', 'x', '{}', '{"level":"loud","message":"x"}', 'null']) tail.write(line)
    expect(tail.since(0)).toEqual([])
  })
})
