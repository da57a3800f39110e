/** The practice service in a process of its own. */
import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { FromPractice, PracticeAddress } from '../../src/practice/protocol.ts'
import type { ToPractice } from '../../src/practice/protocol.ts'
import { CLI } from '../cli/harness.ts'
import { eventually } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'

const MAIN = new URL('../../src/practice/main.ts', import.meta.url)
const folder = folderForAll()
const children: ChildProcess[] = []
/** What killed children leave behind goes with the folder. */
const env = { ...process.env, TMPDIR: folder, TEMP: folder }

function started(child: ChildProcess): ChildProcess {
  children.push(child)
  return child
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const exitCode = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

it('A forked practice service starts when it is told to, and ends with the channel', async () => {
  const child = started(fork(MAIN, { silent: true, execArgv: [], env }))
  const answer = once(child, 'message')
  child.send({ type: 'start', config: { credits: 9 } } satisfies ToPractice)
  const ready = FromPractice.parse((await answer)[0])
  if (ready.type !== 'ready') throw new Error(JSON.stringify(ready))
  expect(ready.imageBaseUrl).toBe(`${ready.chargerBaseUrl}/api/v1`)
  const headers = { authorization: `Bearer ${ready.apiKey}` }
  const balance = await fetch(`${ready.imageBaseUrl}/credits/balance`, { headers })
  expect(await balance.json()).toEqual({ data: { balance: 9 } })

  const ended = exitCode(child)
  child.disconnect()
  expect(await ended).toBe(0)
  await expect(fetch(`${ready.imageBaseUrl}/languages`)).rejects.toThrow()
})

it('A practice service alone prints where it answers, keeps its ledger through a kill, and stops at SIGTERM', async () => {
  const ledgerFile = join(folder, 'alone.jsonl')
  const run = (): { child: ChildProcess; ready: Promise<PracticeAddress> } => {
    const child = started(spawn(process.execPath, [CLI, 'practice', '--json', '--request-log', ledgerFile], { env }))
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const ready = eventually(() => (text.includes('\n') ? PracticeAddress.parse(JSON.parse(text)) : null))
    return { child, ready }
  }
  const first = run()
  const { imageBaseUrl } = await first.ready
  await fetch(`${imageBaseUrl}/languages`)
  const killed = exitCode(first.child)
  first.child.kill('SIGKILL')
  await killed
  const second = run()
  await fetch(`${(await second.ready).imageBaseUrl}/languages`)
  const stopped = exitCode(second.child)
  second.child.kill('SIGTERM')
  expect(await stopped).toBe(0)
  const lines = readFileSync(ledgerFile, 'utf8').trim().split('\n')
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type)
  expect(types).toEqual(['request', 'answer', 'request', 'answer'])
})
