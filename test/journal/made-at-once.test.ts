import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { folderForTest } from '../temp-folder.ts'

/** Opens the journal in a process of its own, at once with others: when it is told to on its standard input. */
const OPENING = `
  const { openJournal } = await import(${JSON.stringify(new URL('../../src/main/journal/journal.ts', import.meta.url).href)})
  process.stdin.once('data', () => {
    const db = openJournal(process.argv[1])
    console.log(db.prepare('SELECT count(*) FROM jobs').pluck().get())
    db.close()
    process.exit()
  })
  console.log('ready')
`

it('a journal is made once when several processes open it at once', async () => {
  const dir = folderForTest()
  const children = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', OPENING, dir], { stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  const said = children.map(() => '')
  const listen = children.map(async (child, n) => {
    for await (const chunk of child.stdout) said[n] += String(chunk)
  })
  children.forEach((child, n) => child.stderr.on('data', (chunk: Buffer) => (said[n] += chunk.toString())))
  await Promise.all(children.map((child) => once(child.stdout, 'readable')))
  for (const child of children) child.stdin.write('go\n')
  await Promise.all(listen)
  expect(said.map((text) => text.replace('ready', '').trim())).toEqual(Array(5).fill('0'))
})
