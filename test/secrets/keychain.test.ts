import { execFile, execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { describeWith, itWith, need, programs } from '../needs.ts'
import { PATIENCE_MS, until } from '../until.ts'
import type { SessionPlan, Step } from './key-session.ts'
import { folderForTest } from '../temp-folder.ts'

const CANARY = 'canary-7f3a9c51e2-key'
const HERE = 'https://images.example.org'
const ELSEWHERE = 'https://elsewhere.example.org'
const SESSION = path.join(import.meta.dirname, 'key-session.ts')
const STORE_KEY: Step = ['set', 'image', HERE, CANARY]
const ASK_KEY: Step = ['get', 'image', HERE]

const LIBSECRET = need('libsecret', hasLibsecret())

let home = ''

beforeEach(async () => {
  home = folderForTest()
  for (const folder of ['.cache', '.local/share', 'run'])
    await mkdir(path.join(home, folder), { recursive: true, mode: 0o700 })
})

describeWith(programs('dbus-run-session', 'gnome-keyring-daemon'), LIBSECRET)('keys in the keychain', () => {
  it('come back after the session ended and a new one unlocked the keychain', async () => {
    await inKeyringSession('unlocked', [{ steps: [STORE_KEY] }])
    expect(await inKeyringSession('unlocked', [{ steps: [ASK_KEY] }])).toEqual([[CANARY]])
  })

  it('belong to one service and one origin each', async () => {
    const steps: Step[] = [
      STORE_KEY,
      ['set', 'image', ELSEWHERE, 'another-key'],
      ASK_KEY,
      ['get', 'image', ELSEWHERE],
      ['get', 'image', `${HERE}:8443`],
      ['get', 'chargers', HERE],
    ]
    expect(await inKeyringSession('unlocked', [{ steps }])).toEqual([[null, null, CANARY, 'another-key', null, null]])
  })

  it('are on the disk only encrypted', async () => {
    await inKeyringSession('unlocked', [{ steps: [STORE_KEY] }])
    const files = await filesUnder(home)
    expect(files.some((file) => file.endsWith('.keyring'))).toBe(true)
    expect(await filesWith(CANARY)).toEqual([])
  })

  it('are kept in memory, and that is said, when the keychain is locked', async () => {
    await inKeyringSession('unlocked', [{ steps: [['set', 'image', HERE, 'stored-before']] }])
    const [outcome] = await inKeyringSession('locked', [{ steps: [ASK_KEY, STORE_KEY, ASK_KEY, ['describe', HERE]] }])
    expect(outcome?.slice(0, 3)).toEqual([null, null, CANARY])
    expect(outcome?.[3]).toEqual({ place: 'memory', because: 'locked' })
    expect(await filesWith(CANARY)).toEqual([])
  })

  itWith(programs('strace'))('reach no process that Hangar starts to try the keychain', async () => {
    const trace = path.join(home, 'trace.txt')
    const environment = { HANGAR_API_KEY: CANARY }
    const [outcome] = await inKeyringSession(
      'unlocked',
      [{ steps: [ASK_KEY, ['describe', ELSEWHERE]], origins: { image: HERE } }],
      {
        environment,
        before: `strace -f -v -s 4096 -e trace=execve -o ${trace}`,
      },
    )
    expect(outcome?.[0]).toBe(CANARY)
    const children = (await readFile(trace, 'utf8')).split('\n').filter((line) => line.includes('keychain-probe.ts'))
    expect(children.length).toBeGreaterThan(0)
    expect(children.filter((line) => line.includes(CANARY))).toEqual([])
  })
})

describe('a start without a keychain', () => {
  const steps: Step[] = [STORE_KEY, ASK_KEY, ['describe', null]]
  const inMemory = { place: 'memory', because: hasLibsecret() ? 'no_service' : 'not_loadable' }

  it('keeps keys in memory when the session has no D-Bus', async () => {
    expect(await session({ steps })).toEqual([null, CANARY, inMemory])
    expect(await filesWith(CANARY)).toEqual([])
  })

  itWith(LIBSECRET)('keeps keys in memory and ends by itself when the D-Bus never answers', async () => {
    const socketPath = path.join(home, 'silent-bus')
    const server = net.createServer(() => {})
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    onTestFinished(() => {
      server.close()
    })
    const environment = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socketPath}` }
    const outcome = await session({ steps, probeTimeoutMs: 1500 }, environment)
    expect(outcome).toEqual([null, CANARY, { place: 'memory', because: 'silent' }])
  })

  it('uses the key of the environment for the configured origin and no other', async () => {
    const plan: SessionPlan = {
      origins: { image: HERE },
      steps: [
        ...([ASK_KEY, ['get', 'image', ELSEWHERE], ['placeOf', 'image', HERE]] satisfies Step[]),
        ...([
          ['describe', HERE],
          ['describe', ELSEWHERE],
        ] satisfies Step[]),
      ],
    }
    const given = { place: 'environment', because: null }
    expect(await session(plan, { HANGAR_API_KEY: CANARY })).toEqual([CANARY, null, 'environment', given, inMemory])
  })
})

/** Runs one process after another on a session bus with a keyring of its own, which lives in this test's home. */
async function inKeyringSession(
  keyring: 'unlocked' | 'locked',
  plans: SessionPlan[],
  { environment = {}, before = '' }: { environment?: NodeJS.ProcessEnv; before?: string } = {},
): Promise<unknown[][]> {
  const daemon = 'gnome-keyring-daemon --components=secrets'
  const start = keyring === 'unlocked' ? `printf 'password\\n' | ${daemon} --unlock` : `${daemon} --start`
  const runs = plans.map((_, index) => `${before} "$NODE" "$SESSION" "$PLAN_${index}"`)
  const script = `${start} >/dev/null 2>&1 && ${runs.join(' && ')}`
  // An unlocked one answers in the end, however long its child takes to start on a busy machine.
  const patience = keyring === 'unlocked' ? { probeTimeoutMs: PATIENCE_MS } : {}
  const values = Object.fromEntries(
    plans.map((plan, index) => [`PLAN_${index}`, JSON.stringify({ ...patience, ...plan })]),
  )
  const lines = await runInHome('dbus-run-session', ['--', 'sh', '-c', script], {
    ...environment,
    ...values,
    NODE: process.execPath,
    SESSION,
  })
  const hasEnded = async () => !(await readdir(path.join(home, 'run'))).includes('keyring')
  await until('the keyring has ended and removed its folder', hasEnded)
  return lines.map((line) => JSON.parse(line) as unknown[])
}

async function session(plan: SessionPlan, environment: NodeJS.ProcessEnv = {}): Promise<unknown[]> {
  const patient = { probeTimeoutMs: PATIENCE_MS, ...plan }
  const [line] = await runInHome(process.execPath, [SESSION, JSON.stringify(patient)], environment)
  return JSON.parse(line ?? '') as unknown[]
}

async function runInHome(command: string, args: string[], environment: NodeJS.ProcessEnv): Promise<string[]> {
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: path.join(home, 'run'), ...environment }
  const { stdout } = await promisify(execFile)(command, args, { env, timeout: PATIENCE_MS, killSignal: 'SIGKILL' })
  return stdout.split('\n').filter((line) => line.startsWith('['))
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

async function filesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const file of await filesUnder(home)) if ((await readFile(file)).includes(text)) found.push(file)
  return found
}

function hasLibsecret(): boolean {
  try {
    return execFileSync('sh', ['-c', '/sbin/ldconfig -p'], { encoding: 'utf8' }).includes('libsecret-1.so.0')
  } catch {
    return false
  }
}
