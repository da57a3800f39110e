/** The practice service in a process of its own. */
import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FromPractice, PracticeAddress } from '../../src/practice/protocol.ts'
import type { ToPractice } from '../../src/practice/protocol.ts'
import { freePort } from '../free-port.ts'
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

const nextMessage = (child: ChildProcess): Promise<FromPractice> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(FromPractice.parse(message)))
    child.once('exit', (code) => reject(new Error(`exited with ${code}`)))
  })

function tell(child: ChildProcess, message: ToPractice): Promise<FromPractice> {
  const answer = nextMessage(child)
  child.send(message)
  return answer
}

const exitCode = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

describe('A forked practice service', () => {
  it('starts when it is told to, and ends with the channel', async () => {
    const child = started(fork(MAIN, { silent: true, execArgv: [], env }))
    const ready = await tell(child, { type: 'start', config: { credits: 9, port: await freePort() } })
    if (ready.type !== 'ready') throw new Error(JSON.stringify(ready))
    expect(ready.imageBaseUrl).toBe(`${ready.chargerBaseUrl}/api/v1`)
    const headers = { authorization: `Bearer ${ready.apiKey}` }
    const balance = await fetch(`${ready.imageBaseUrl}/credits/balance`, { headers })
    expect(await balance.json()).toEqual({ data: { balance: 9 } })

    const again = await tell(child, { type: 'start', config: {} })
    expect(again).toMatchObject({ type: 'failed' })

    const ended = exitCode(child)
    child.disconnect()
    expect(await ended).toBe(0)
    await expect(fetch(`${ready.imageBaseUrl}/languages`)).rejects.toThrow()
  })

  it('says why it cannot start', async () => {
    const first = started(fork(MAIN, { silent: true, execArgv: [], env }))
    const ready = await tell(first, { type: 'start', config: {} })
    if (ready.type !== 'ready') throw new Error(JSON.stringify(ready))
    const second = started(fork(MAIN, { silent: true, execArgv: [], env }))
    const port = Number(new URL(ready.chargerBaseUrl).port)
    expect(await tell(second, { type: 'start', config: { port } })).toMatchObject({ type: 'failed' })
  })
})

it('A practice service alone prints where it answers, keeps its ledger through a kill, and stops at SIGTERM', async () => {
  const ledgerFile = join(folder, 'alone.jsonl')
  const run = (): { child: ChildProcess; ready: Promise<PracticeAddress> } => {
    const child = started(spawn(process.execPath, [CLI, 'practice', '--json', '--ledger', ledgerFile], { env }))
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
