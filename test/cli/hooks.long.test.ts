import { createHmac } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, describe, expect, it } from 'vitest'
import type { Hook } from '../../src/shared/contract/hooks.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { folderWithPictures, jsonLines, runCli } from './harness.ts'
import { practice, startPracticeForAll } from './for-all-tests.ts'
import { folderForAll } from '../temp-folder.ts'

startPracticeForAll()
afterEach(closeAll)

async function dataWithHooks(hooks: readonly Hook[]): Promise<string> {
  const data = folderForAll()
  await writeFile(join(data, 'hooks.json'), JSON.stringify(hooks), { mode: 0o600 })
  return data
}

/** The command of a hook that runs this script. */
async function hookOf(script: string): Promise<string[]> {
  const path = join(folderForAll(), 'hook.mjs')
  await writeFile(path, script)
  return [process.execPath, path, 'a b']
}

describe('hangar run', () => {
  it('tells its hook that it is done before it ends, and the hook knows how to go on', async () => {
    const file = join(folderForAll(), 'told.jsonl')
    const run = await hookOf(
      `import { appendFileSync } from 'node:fs'
       import { text } from 'node:stream/consumers'
       const told = { read: JSON.parse(await text(process.stdin)), args: process.argv.slice(2), env: process.env }
       appendFileSync(${JSON.stringify(file)}, JSON.stringify(told) + '\\n')`,
    )
    const data = await dataWithHooks([{ on: 'done', run }])
    const pictures = await folderWithPictures(['a.jpg', 'b.png'])
    const env = { ...practice.env, HANGAR_HOOK_SECRET: 'a-secret-of-its-own', CHAT_ROOM: '7' }
    const args = ['run', pictures, '--data-dir', data, '--json']
    const { code, stdout } = await runCli(args, { env })
    expect(code).toBe(0)
    const [told, ...others] = jsonLines(await readFile(file, 'utf8'))
    expect(others).toEqual([])
    expect(told).toMatchObject({ read: { event: 'done', counts: { done: 2 } }, args: ['a b'] })
    expect(told).toMatchObject({ env: { CHAT_ROOM: '7', HANGAR_EVENT: 'done', HANGAR_DATA_DIR: data } })
    expect(JSON.stringify(told)).not.toContain(practice.apiKey)
    expect(JSON.stringify(told)).not.toContain('a-secret-of-its-own')
    expect(jsonLines(stdout).slice(-2)).toMatchObject([
      { event: 'hook', on: 'done', hook: 'node', ok: true, why: null },
      { event: 'summary', done: 2 },
    ])
    const { batch } = told!['read'] as { batch: string }
    const exported = await runCli(['export', '--batch', batch, '--format', 'json', '--data-dir', data])
    expect(JSON.parse(exported.stdout)).toHaveLength(2)
  })

  it('says that a hook failed, and so does hangar status; its own exit status stays', async () => {
    const data = await dataWithHooks([{ on: 'done', run: await hookOf('console.log("no room"); process.exit(9)') }])
    const pictures = await folderWithPictures(['a.jpg'])
    const { code, stderr } = await runCli(['run', pictures, '--data-dir', data], { env: practice.env })
    expect(code).toBe(0)
    expect(stderr).toMatch(/a hook wrote.*no room/)
    expect(stderr).toMatch(/a hook failed.*It ended with exit status 9/)
    expect(stderr).toContain('1 hook failed; the lines above say why.')
    const status = await runCli(['status', '--data-dir', data])
    expect(status.stdout).toMatch(/^The hook node for done failed \d+ s ago\. It ended with exit status 9\.$/m)
    const [json] = jsonLines((await runCli(['status', '--data-dir', data, '--json'])).stdout)
    expect(json).toMatchObject({ hooks: [{ on: 'done', hook: 'node', why: 'It ended with exit status 9.' }] })
  })

  it('signs with a secret of its own where the environment has none, which only this user can read', async () => {
    const { origin, requests } = await startHttp((_, response) => response.writeHead(200).end())
    const data = await dataWithHooks([{ on: 'done', post: `${origin}/done` }])
    const pictures = await folderWithPictures(['a.jpg'])
    expect((await runCli(['run', pictures, '--data-dir', data], { env: practice.env })).code).toBe(0)
    const file = join(data, 'hook-secret')
    const secret = (await readFile(file, 'utf8')).trim()
    expect(secret).toMatch(/^[\w-]{43}$/)
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o077).toBe(0)
    const { headers, body } = requests[0]!
    const [, seconds, hex] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['hangar-signature']))!
    expect(hex).toBe(createHmac('sha256', secret).update(`${seconds}.${body.toString()}`).digest('hex'))
  })

  it('does not begin with a file of hooks that cannot be used, and says why, as does hangar status', async () => {
    const data = await dataWithHooks([{ on: 'done', run: ['/no/such/program'] }])
    const pictures = await folderWithPictures(['a.jpg'])
    const { code, stderr } = await runCli(['run', pictures, '--data-dir', data], { env: practice.env })
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no program "/no/such/program"')])
    const status = await runCli(['status', '--check', '--data-dir', data])
    expect(status.stdout).toContain(`No hook runs: ${join(data, 'hooks.json')} cannot be used.`)
  })
})
