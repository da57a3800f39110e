import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readLowCredits, readTarget } from '../../src/main/cli/hook-options.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { Folders, jsonLines, runCli, startPractice, type Practice } from './harness.ts'
import { hookRecorder } from './hook-recorder.ts'

const folders = new Folders()
let practice: Practice
beforeAll(async () => {
  practice = await startPractice()
})
afterEach(closeAll)
afterAll(async () => {
  await practice.stop()
  await folders.removeAll()
})

describe('hangar run', () => {
  it('tells its hook that it is done before it ends, and the hook knows how to go on', async () => {
    const hook = await hookRecorder(folders)
    const data = await folders.make('data')
    const pictures = await folders.withPictures(['a.jpg', 'b.png'])
    const env = { ...practice.env, HANGAR_HOOK_SECRET: 'a-secret-of-its-own', CHAT_ROOM: '7' }
    const args = ['run', pictures, '--data-dir', data, '--on-done', hook.flag, '--json']
    const { code, stdout } = await runCli(args, { env })
    expect(code).toBe(0)
    const [told, ...others] = await hook.told()
    expect(others).toEqual([])
    expect(told).toMatchObject({ read: { event: 'done', counts: { done: 2 } }, args: ['a b'] })
    expect(told!.env).toMatchObject({ CHAT_ROOM: '7', HANGAR_EVENT: 'done', HANGAR_DATA_DIR: data })
    expect(JSON.stringify(told)).not.toContain(practice.apiKey)
    expect(JSON.stringify(told)).not.toContain('a-secret-of-its-own')
    expect(jsonLines(stdout).slice(-2)).toMatchObject([
      { event: 'hook', on: 'done', hook: 'node', ok: true, why: null },
      { event: 'summary', done: 2 },
    ])
    const exported = await runCli(['export', '--batch', told!.read.batch!, '--format', 'json', '--data-dir', data])
    expect(JSON.parse(exported.stdout)).toHaveLength(2)
  })

  it('says that a hook failed, and so does hangar status; its own exit status stays', async () => {
    const hook = await hookRecorder(folders, 'console.log("no room"); process.exit(9)')
    const data = await folders.make('data')
    const pictures = await folders.withPictures(['a.jpg'])
    const { code, stderr } = await runCli(['run', pictures, '--data-dir', data, '--on-done', hook.flag], {
      env: practice.env,
    })
    expect(code).toBe(0)
    expect(stderr).toMatch(/a hook wrote.*no room/)
    expect(stderr).toMatch(/a hook failed.*It ended with exit status 9/)
    expect(stderr).toContain('1 hook failed; the lines above say why.')
    const status = await runCli(['status', '--data-dir', data])
    expect(status.stdout).toMatch(/^The hook node for done failed \d+ s ago\. It ended with exit status 9\.$/m)
  })

  it('tells what needs a person before it ends, and nothing is done', async () => {
    const [attention, done] = [await hookRecorder(folders), await hookRecorder(folders)]
    const pictures = await folders.withPictures(['a.jpg'])
    const hooks = ['--on-attention', attention.flag, '--on-done', done.flag]
    const env = { ...practice.env, HANGAR_API_KEY: 'wrong' }
    const { code } = await runCli(['run', pictures, '--data-dir', await folders.make('data'), ...hooks], { env })
    expect(code).toBe(3)
    expect(await attention.told()).toMatchObject([
      { read: { event: 'attention', batch: null, counts: { held: 1 }, reasons: [{ code: 'key_refused' }] } },
    ])
    expect(await done.told()).toEqual([])
  })

  it('posts to an address what it signed', async () => {
    const secret = 'a-secret-of-its-own'
    const statuses = [500, 200]
    const { origin, requests } = await startHttp((_, response) => response.writeHead(statuses.shift()!).end())
    const file = join(await folders.make('secret'), 'secret')
    await writeFile(file, `${secret}\n`, { mode: 0o600 })
    const pictures = await folders.withPictures(['a.jpg'])
    const args = ['run', pictures, '--data-dir', await folders.make('data'), '--on-done', `${origin}/done`, '-v']
    const { code, stdout, stderr } = await runCli(args, { env: { ...practice.env, HANGAR_HOOK_SECRET_FILE: file } })
    expect(code).toBe(0)
    expect(requests.map(({ method, url }) => [method, url])).toEqual(Array(2).fill(['POST', '/done']))
    const { headers, body } = requests[1]!
    const [, seconds, hex] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['hangar-signature']))!
    expect(hex).toBe(createHmac('sha256', secret).update(`${seconds}.${body.toString()}`).digest('hex'))
    expect(JSON.parse(body.toString())).toMatchObject({ event: 'done', counts: { done: 1 } })
    expect(JSON.stringify(headers) + stdout + stderr).not.toContain(practice.apiKey)
    expect(stdout + stderr).not.toContain(secret)
  })

  it('tells of low credits by the balance that it leaves', async () => {
    const poor = await startPractice({ credits: 100 })
    const hook = await hookRecorder(folders)
    const data = await folders.make('data')
    const run = async () => {
      const pictures = await folders.withPictures(['a.jpg'])
      const args = ['run', pictures, '--data-dir', data, '--on-low-credits', `99=${hook.flag}`]
      expect((await runCli(args, { env: poor.env })).code).toBe(0)
      return (await hook.told()).length
    }
    expect([await run(), await run()]).toEqual([1, 1])
    expect((await hook.told())[0]).toMatchObject({ read: { event: 'low_credits', below: 99 } })
    await poor.stop()
  })

  it.each([
    [['--on-done', 'http://example.com/hook'], /https:\/\//],
    [['--on-done', 'https://me:secret@example.com/hook'], /Leave user name and password out/],
    [['--on-done', '/no/such/program'], /no program "\/no\/such\/program"/],
    [['--on-attention', 'no-such-program-on-the-path'], /no program "no-such-program-on-the-path"/],
    [['--on-done', '["a"'], /is JSON/],
    [['--on-low-credits', '/bin/true'], /figure and a hook/],
    [['--on-done', 'https://example.com/hook'], /HANGAR_HOOK_SECRET/],
  ])('does not begin with %j', async (flags, why) => {
    const pictures = await folders.withPictures(['a.jpg'])
    const { code, stderr } = await runCli(['run', pictures, '--data-dir', await folders.make('data'), ...flags], {
      env: practice.env,
    })
    expect(stderr).toMatch(why)
    expect(code).toBe(2)
  })
})

describe('What a hook may be', () => {
  it.each([
    ['/usr/local/bin/tell me', { kind: 'program', file: '/usr/local/bin/tell me', args: [] }],
    ['["tell","a b",""]', { kind: 'program', file: 'tell', args: ['a b', ''] }],
    ['./[odd]', { kind: 'program', file: './[odd]', args: [] }],
    ['https://example.com/h?room=7', { kind: 'address', url: 'https://example.com/h?room=7' }],
    ['http://127.0.0.1:8000', { kind: 'address', url: 'http://127.0.0.1:8000/' }],
    ['http://[::1]/h', { kind: 'address', url: 'http://[::1]/h' }],
    ['HTTP://LOCALHOST/h', { kind: 'address', url: 'http://localhost/h' }],
  ])('%s', (text, target) => expect(readTarget(text)).toEqual(target))

  it.each(['', '[]', '[""]', '[1]', '["a\\u0000"]', '[', 'http://127.0.0.1.example.com/', 'http://', 'https://u@h/'])(
    'not %s',
    (text) => expect(() => readTarget(text)).toThrow(),
  )

  it('for low credits has a figure before it', () => {
    expect(readLowCredits('50=/bin/a=b')).toEqual({
      below: 50,
      target: { kind: 'program', file: '/bin/a=b', args: [] },
    })
    for (const text of ['/bin/a', '=/bin/a', '0=/bin/a', '-1=/bin/a', '1.5=/bin/a', '50='])
      expect(() => readLowCredits(text)).toThrow()
  })
})
