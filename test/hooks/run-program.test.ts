import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { say } from '../../src/shared/sentences/sentence.ts'
import { hookEnvironment, runProgram } from '../../src/main/hooks/run-program.ts'
import { childEnvironment } from '../child-environment.ts'
import { manualClock, realClock } from '../services/harness.ts'
import { until } from '../until.ts'
import { folderForTest } from '../temp-folder.ts'

/** A process that has ended may still be listed until its parent asks for it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Runs a program of Node with what a hook gets. */
function run(script: string, given: Partial<Parameters<typeof runProgram>[0]> = {}) {
  const path = join(folderForTest(), 'hook.mjs')
  writeFileSync(path, script)
  return runProgram({
    file: process.execPath,
    args: [path],
    env: childEnvironment(),
    input: '{}\n',
    limitMs: 60_000,
    clock: realClock,
    signal: new AbortController().signal,
    ...given,
  })
}

/** A program that hangs, as a child of its does; neither heeds SIGTERM unless it says `more`. */
async function hung(more = '') {
  const file = join(folderForTest(), 'pids')
  const script = `
    import { spawn } from 'node:child_process'
    import { writeFileSync, renameSync } from 'node:fs'
    const life = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
    const child = spawn(process.execPath, ['-e', life + '; console.log("ready")'], { stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.once('data', () => {
      writeFileSync('${file}.new', process.pid + ' ' + child.pid)
      renameSync('${file}.new', '${file}')
    })
    eval(life)${more}`
  const clock = manualClock()
  const running = run(script, { clock })
  await until('it hangs', () => existsSync(file))
  const [parent, child] = readFileSync(file, 'utf8').split(' ').map(Number) as [number, number]
  return { running, clock, parent, child }
}

/** A program that ends well while a child of its, whose process id it writes to a file, still has its output. */
const leavingAChild = (file: string) => `
  import { spawn } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  writeFileSync('${file}', String(child.pid))
  process.exit(0)`

function expectLeftAlone(file: string): void {
  const pid = Number(readFileSync(file, 'utf8'))
  expect(isAlive(pid)).toBe(true)
  process.kill(pid, 'SIGKILL')
}

describe('A program that is run for an event', () => {
  it('reads the input to its end, and what it writes is kept', async () => {
    const script = `
      import { text } from 'node:stream/consumers'
      console.log('got ' + (await text(process.stdin)).trim())
      console.error(process.env.HANGAR_EVENT)`
    const env = hookEnvironment(process.env, 'done', '/data')
    const { why, output } = await run(script, { input: '{"event":"done"}\n', env })
    expect(why).toBeNull()
    expect(output.trim().split('\n').sort()).toEqual(['done', 'got {"event":"done"}'])
  })

  it('has failed when it ends with another status than 0, or by a signal', async () => {
    expect(await run('process.exit(3)')).toEqual({ why: say('hook_exit', { status: '3' }), output: '' })
    expect((await run("process.kill(process.pid, 'SIGKILL')")).why).toEqual(say('hook_killed', { signal: 'SIGKILL' }))
  })

  it('need not read its input, however long that is', async () => {
    expect(await run('process.exit(0)', { input: 'x'.repeat(1_000_000) })).toEqual({ why: null, output: '' })
  })

  it('may flood its output: the first 16 kB are kept, and it is not held up', async () => {
    const script = `
      for (let left = 500; left > 0; left -= 1)
        await new Promise((done) => process.stdout.write('y'.repeat(10_000), done))`
    // Over once all was read, however long that takes.
    const { why, output } = await run(script, { clock: manualClock() })
    expect(why).toBeNull()
    expect(output).toBe(`${'y'.repeat(16_384)}\n(${5_000_000 - 16_384} more bytes)`)
  })

  it('is ended at its time limit with what it started, even if neither heeds SIGTERM', async () => {
    const { running, clock, parent, child } = await hung()
    const both = [parent, child]
    clock.advance(60_000)
    expect(both.map(isAlive)).toEqual([true, true])
    clock.advance(5000)
    expect((await running).why).toEqual(say('hook_too_long', { seconds: 60 }))
    await until('both are gone', () => !both.some(isAlive))
  })

  it('that heeds SIGTERM takes along a child that does not', async () => {
    const { running, clock, parent, child } = await hung("; process.removeAllListeners('SIGTERM')")
    clock.advance(60_000)
    await until('the program is gone', () => !isAlive(parent))
    expect((await running).why).toEqual(say('hook_too_long', { seconds: 60 }))
    await until('its child is gone', () => !isAlive(child))
  })

  it('that leaves something running is not waited for, and that is left alone', async () => {
    const file = join(folderForTest(), 'pid')
    expect((await run(leavingAChild(file))).why).toBeNull()
    expectLeftAlone(file)
  })

  it.each(['its time limit passes', 'Hangar stops'])(
    'that ended with 0 has gone well, even if %s before its output closes',
    async (when) => {
      const file = join(folderForTest(), 'pid')
      const clock = manualClock()
      const delays: number[] = []
      const setTimer: typeof clock.setTimer = (ms, step) => {
        delays.push(ms)
        return clock.setTimer(ms, step)
      }
      const stop = new AbortController()
      const running = run(leavingAChild(file), { clock: { ...clock, setTimer }, limitMs: 500, signal: stop.signal })
      await until('its end is known', () => delays.length === 2)
      if (when === 'Hangar stops') stop.abort()
      else clock.advance(500)
      clock.advance(1000)
      expect((await running).why).toBeNull()
      expectLeftAlone(file)
    },
  )
})

it('A program gets the environment of Hangar without what is Hangar’s own', () => {
  const own = {
    HANGAR_API_KEY: 'k',
    HANGAR_API_KEY_FILE: '/k',
    HANGAR_HOOK_SECRET: 's',
    HANGAR_LEDGER_URL: 'postgres://u@h/d',
    CREDENTIALS_DIRECTORY: '/run/credentials',
    NOTIFY_SOCKET: '/run/notify',
    WATCHDOG_PID: '7',
    HANGAR_DATA_DIR: '/elsewhere',
  }
  expect(hookEnvironment({ PATH: '/bin', CHAT_ROOM: '7', ...own }, 'attention', '/data')).toEqual({
    PATH: '/bin',
    CHAT_ROOM: '7',
    HANGAR_EVENT: 'attention',
    HANGAR_DATA_DIR: '/data',
  })
})
