import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { EngineSnapshot } from '../../src/shared/contract/engine-port.ts'
import { serviceManager } from '../../src/main/cli/service-manager.ts'
import { NO_JOBS } from '../../src/shared/presentation/progress-figures.ts'
import { itWith, LINUX, POSIX, programs } from '../needs.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'
import { until } from '../until.ts'
import { startCli } from './harness.ts'
import { foldersForAll } from './for-all-tests.ts'

const folders = foldersForAll()

const SECOND = 1000
const SOCKET = { NOTIFY_SOCKET: '/run/systemd/notify' }

/** A manager with what it said; `hang` keeps the queue from being gone through. */
function managed(env: NodeJS.ProcessEnv) {
  const [clock, said] = [new VirtualClock(), [] as string[]]
  const state = { hangs: false, isJournalRead: true, tellsSlowly: false, told: () => {} }
  const manager = serviceManager({
    env,
    pid: 4711,
    clock,
    engine: {
      passed: () => (state.hangs ? new Promise(() => undefined) : Promise.resolve()),
      snapshot: () => {
        if (!state.isJournalRead) throw new Error('the journal cannot be read')
        return { counts: { ...NO_JOBS, ready: 3, done: 12 } } as EngineSnapshot
      },
    },
    tell: (assignments) => {
      said.push(assignments.join(' '))
      return state.tellsSlowly ? new Promise((resolve) => (state.told = resolve)) : Promise.resolve()
    },
  })
  return { manager, clock, said, state }
}

const PICTURES = 'STATUS=Pictures: 3 ready, 12 done'

it('says nothing where nobody asked for it', async () => {
  for (const env of [{}, { NOTIFY_SOCKET: '' }, { WATCHDOG_USEC: '60000000' }]) {
    const { manager, clock, said } = managed(env)
    manager.ready()
    await clock.advance(300 * SECOND)
    await manager.stopping()
    expect(said).toEqual([])
  }
})

it('says that it is ready, twice in each interval that it goes on, and once that it stops', async () => {
  const { manager, clock, said } = managed({ ...SOCKET, WATCHDOG_USEC: '60000000', WATCHDOG_PID: '4711' })
  await clock.advance(300 * SECOND)
  expect(said).toEqual([])
  manager.ready()
  await clock.advance(0)
  expect(said.splice(0)).toEqual([`READY=1 ${PICTURES}`])
  await clock.advance(29 * SECOND)
  expect(said).toEqual([])
  await clock.advance(91 * SECOND)
  expect(said.splice(0)).toEqual(Array(4).fill(`WATCHDOG=1 ${PICTURES}`))
  await Promise.all([manager.stopping(), manager.stopping()])
  manager.ready()
  await clock.advance(300 * SECOND)
  expect(said).toEqual(['STOPPING=1 STATUS=Stopping'])
})

it('says no more that it goes on when the queue is not gone through', async () => {
  const { manager, clock, said, state } = managed({ ...SOCKET, WATCHDOG_USEC: '60000000' })
  manager.ready()
  await clock.advance(31 * SECOND)
  state.hangs = true
  await clock.advance(300 * SECOND)
  expect(said).toHaveLength(2)
})

it('says nothing more often than once a second, however often it is asked to', async () => {
  const { manager, clock, said } = managed({ ...SOCKET, WATCHDOG_USEC: '100' })
  manager.ready()
  await clock.advance(10 * SECOND)
  expect(said).toHaveLength(11)
})

it('says one thing at a time: what takes long is waited for, and what would have come meanwhile is left out', async () => {
  const { manager, clock, said, state } = managed({ ...SOCKET, WATCHDOG_USEC: '2000000' })
  manager.ready()
  await clock.advance(SECOND)
  state.tellsSlowly = true
  await clock.advance(9 * SECOND)
  expect(said.splice(0)).toEqual([`READY=1 ${PICTURES}`, `WATCHDOG=1 ${PICTURES}`, `WATCHDOG=1 ${PICTURES}`])
  let isOver = false
  const stopping = manager.stopping().then(() => (isOver = true))
  await clock.advance(SECOND)
  expect(said).toEqual([])
  state.told()
  await clock.advance(SECOND)
  expect(said).toEqual(['STOPPING=1 STATUS=Stopping'])
  // The process ends only once that was heard.
  expect(isOver).toBe(false)
  state.told()
  await stopping
})

it('goes on without a status while the journal cannot be read', async () => {
  const { manager, clock, said, state } = managed({ ...SOCKET, WATCHDOG_USEC: '60000000' })
  state.isJournalRead = false
  manager.ready()
  await clock.advance(31 * SECOND)
  expect(said).toEqual(['READY=1', 'WATCHDOG=1'])
})

it.each([
  { WATCHDOG_USEC: '60000000', WATCHDOG_PID: '4712' },
  { WATCHDOG_USEC: '0' },
  { WATCHDOG_USEC: 'soon' },
  { WATCHDOG_USEC: '-5' },
  {},
])('is no watchdog with %j', async (env) => {
  const { manager, clock, said } = managed({ ...SOCKET, ...env })
  manager.ready()
  await clock.advance(300 * SECOND)
  expect(said).toEqual([`READY=1 ${PICTURES}`])
})

/** What arrives at a socket as systemd has it. */
async function receive(path: string): Promise<string[][]> {
  const child = spawn('python3', [join(import.meta.dirname, 'notify-receiver.py'), path], { stdio: 'pipe' })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let text = ''
  const received: string[][] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop()!
    received.push(...lines.map((line) => JSON.parse(line) as string[]))
  })
  await until('it listens', () => received.length === 1)
  received.length = 0
  return received
}

itWith(LINUX, programs('python3', 'systemd-notify'))(
  'a watch and a server speak to the socket of systemd',
  async () => {
    for (const command of [
      ['watch', await folders.withPictures(['a.jpg'])],
      ['serve', '--port', '0'],
    ]) {
      const socket = join(await folders.make('notify'), 'socket')
      const received = await receive(socket)
      const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' }
      const data = await folders.make('data')
      const cli = startCli([...command, '--practice', '--data-dir', data], { env })
      const has = (assignment: string) => received.filter((message) => message.includes(assignment)).length
      const describe = () => JSON.stringify(received) + cli.text.stderr
      await until('it is ready', () => has('READY=1') === 1, { describe })
      await until('it goes on', () => has('WATCHDOG=1') >= 2, { describe })
      if (command[0] === 'watch')
        await until('the status follows', () => has('STATUS=Pictures: 1 done') > 0, { describe })
      cli.child.kill('SIGTERM')
      expect((await cli.ended).code).toBe(0)
      await until('it stops', () => has('STOPPING=1') === 1, { describe })
      expect(received[0]).toEqual(['READY=1', expect.stringMatching(/^STATUS=Pictures: /)])
      expect(cli.text.stderr).not.toContain('systemd')
    }
  },
)

itWith(POSIX)('a watch that cannot tell systemd says so once and goes on', async () => {
  const env = { NOTIFY_SOCKET: '/nowhere/socket', WATCHDOG_USEC: '200000', PATH: '/nowhere' }
  const pictures = await folders.withPictures(['a.jpg'])
  const watch = startCli(['watch', '--practice', pictures, '--data-dir', await folders.make('data')], { env })
  await watch.said(/^done/m)
  watch.child.kill('SIGTERM')
  const { code, stderr } = await watch.ended
  expect(code).toBe(0)
  expect(stderr.match(/Could not notify systemd: /g)).toHaveLength(1)
})
