import { spawn, spawnSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES, SOCKET_NAME, socketPlaces } from '../../src/main/engine/engine-socket.ts'
import { connectToEngine } from '../../src/main/engine/running-engine.ts'
import { VERSION } from '../../src/main/engine/version.ts'
import { describeWith, itWith, LINUX_ROOT, POSIX } from '../needs.ts'
import { until } from '../until.ts'
import { openWorldForEachTest, world } from './world-for-each-test.ts'

/** Belongs to nobody. */
const OTHER_USER = 65_534

openWorldForEachTest()
let dataDir: string
beforeEach(async () => {
  dataDir = world.newDataFolder()
})

const engineIn = (dir = dataDir) => world.engine(dir, { overrides: { imageBaseUrl: null } })

const asked = (call: string, version = VERSION) => ({ version, call, request: {} })

/** What comes back for lines that a program of its own might send, each a JSON value unless it is a text already. */
async function answersTo(...asked: unknown[]): Promise<unknown[]> {
  const socket = connect(socketPlaces(dataDir)[0]!.address)
  const lines = asked.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  socket.end(lines.map((line) => `${line}\n`).join(''))
  const answers = await text(socket)
  return answers
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown)
}

describe('the socket of an engine', () => {
  it('answers one call after the other as the engine does, its refusals too', async () => {
    const engine = await engineIn()
    const running = (await connectToEngine(dataDir))!
    expect(await running.call('queue.pause', {})).toEqual({ ok: true, value: {} })
    expect(engine.snapshot().settings.paused).toBe(true)
    for (const id of ['no-such', 'x'.repeat(50)])
      expect(await running.call('folders.remove', { id })).toEqual(await engine.call('folders.remove', { id }))
    expect(await running.call('settings.get', {})).toEqual(await engine.call('settings.get', {}))
    running.close()
  })

  it('refuses what only a page may ask, what is no call, and a Hangar of another version', async () => {
    await engineIn()
    const answers = await answersTo(
      asked('places.choose'),
      asked('app.facts'),
      asked('toString'),
      asked('queue.pause', '0.0.1'),
      'no JSON',
      { call: 'queue.pause' },
      asked('queue.status'),
    )
    const codes = answers.map((answer) => {
      const { ok, error } = answer as { ok: boolean; error?: { sentence: { code: string } } }
      return ok || error?.sentence.code
    })
    expect(codes).toEqual([
      'call_unknown',
      'call_unknown',
      'call_unknown',
      'other_version_runs',
      'request_invalid',
      'request_invalid',
      true,
    ])
  })

  it('refuses a request that is too large, and goes on with the next connection', async () => {
    await engineIn()
    const [answer, ...more] = await answersTo('x'.repeat(MAX_LINE_BYTES + 1), asked('queue.pause'))
    expect(answer).toMatchObject({ ok: false, error: { code: 'bad_request', sentence: { code: 'request_invalid' } } })
    expect(more).toEqual([])
    const [status] = await answersTo(asked('queue.status'))
    expect(status).toMatchObject({ ok: true, value: { paused: false } })
  })

  it('is gone when the engine has ended, and a connection that is left over gets no answer', async () => {
    const engine = await engineIn()
    const running = (await connectToEngine(dataDir))!
    await world.stop(engine)
    await expect(running.call('queue.pause', {})).rejects.toMatchObject({ code: 'data_folder_in_use' })
    expect(await connectToEngine(dataDir)).toBeNull()
    if (process.platform !== 'win32') expect(await readdir(dataDir)).not.toContain(SOCKET_NAME)
  })
})

describeWith(POSIX)('the file of a socket', () => {
  it('is for this user alone', async () => {
    await mkdir(dataDir, { mode: 0o755 })
    await engineIn()
    expect((await stat(join(dataDir, SOCKET_NAME))).mode & 0o777).toBe(0o600)
  })

  itWith(LINUX_ROOT)('lets no other user connect, even where that user may enter the folder', async () => {
    await engineIn()
    for (let dir = dataDir; dir !== dirname(world.dir); dir = dirname(dir)) await chmod(dir, 0o755)
    const [{ address }] = socketPlaces(dataDir) as unknown as [{ address: string }]
    const program = `require('node:net').connect(${JSON.stringify(address)}, () => console.log('connected')).on('error', (error) => console.log(error.code))`
    const asThem = (uid: number) =>
      spawnSync(process.execPath, ['-e', program], { uid, cwd: '/', encoding: 'utf8', timeout: 20_000 })
    expect(asThem(OTHER_USER).stdout).toBe('EACCES\n')
  })

  it('that a killed engine left is replaced, and one that is no socket is left alone', async () => {
    await mkdir(dataDir, { mode: 0o700 })
    const listens = `require('node:net').createServer().listen(${JSON.stringify(join(dataDir, SOCKET_NAME))}, () => console.log('ready'))`
    const killed = spawn(process.execPath, ['-e', listens], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect((await lstat(join(dataDir, SOCKET_NAME))).isSocket()).toBe(true)
    expect(await connectToEngine(dataDir)).toBeNull()
    const engine = await engineIn()
    const running = (await connectToEngine(dataDir))!
    expect(await running.call('queue.pause', {})).toMatchObject({ ok: true })
    running.close()
    await world.stop(engine)

    await writeFile(join(dataDir, SOCKET_NAME), 'not ours')
    await engineIn()
    const elsewhere = (await connectToEngine(dataDir))!
    expect(await elsewhere.call('queue.resume', {})).toMatchObject({ ok: true })
    elsewhere.close()
  })

  it('lies in a short folder of its own where the path of the data folder is too long for one', async () => {
    const long = join(dataDir, 'l'.repeat(60), 'o'.repeat(60))
    await mkdir(long, { recursive: true })
    const [{ address, ownFolder }, ...more] = socketPlaces(long) as [{ address: string; ownFolder: string }]
    expect([address.startsWith('/tmp/hangar-'), more]).toEqual([true, []])
    const engine = await engineIn(long)
    expect((await stat(ownFolder)).mode & 0o777).toBe(0o700)
    const running = (await connectToEngine(long))!
    expect(await running.call('queue.pause', {})).toMatchObject({ ok: true })
    running.close()
    await world.stop(engine)
    await until('the folder is removed', () =>
      stat(ownFolder).then(
        () => false,
        () => true,
      ),
    )
  })

  it('is not looked for in a folder that others could have made', async () => {
    const long = join(dataDir, 'l'.repeat(60), 'o'.repeat(60))
    await mkdir(long, { recursive: true })
    const { ownFolder } = socketPlaces(long)[0] as { ownFolder: string }
    await mkdir(ownFolder)
    await chmod(ownFolder, 0o777)
    try {
      await engineIn(long)
      expect(await readdir(ownFolder)).toEqual([])
      expect(await connectToEngine(long)).toBeNull()
    } finally {
      await rm(ownFolder, { recursive: true })
    }
  })
})
