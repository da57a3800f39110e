import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const cliOf = (checkout: string) => join(checkout, 'out/main/cli.js')

/** Processor time of one `hangar --version` in ms, by bash's own clock of its children. */
export function versionCpuMs(checkout: string): number {
  const script = `TIMEFORMAT='%3U %3S'; time "$@" > /dev/null`
  const { stderr, status } = spawnSync(
    'bash',
    ['--norc', '-c', script, 'bash', process.execPath, cliOf(checkout), '--version'],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    },
  )
  const [user, system] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number)
  if (status !== 0 || user === undefined || system === undefined || Number.isNaN(user + system))
    throw new Error(`hangar --version failed: ${stderr}`)
  return (user + system) * 1000
}

/** From the start of `hangar serve` in an empty data folder until its page answers. */
export async function serveStart(checkout: string): Promise<{ wallMs: number; cpuMs: number }> {
  const home = mkdtempSync(join(tmpdir(), 'hangar-size-'))
  const startedAtMs = performance.now()
  const args = ['serve', '--port', '0', '--data-dir', join(home, 'data'), '--json']
  const child = spawn(process.execPath, [cliOf(checkout), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: home },
  })
  const ended = once(child, 'exit')
  try {
    const lines = createInterface(child.stdout)
    const first = await Promise.race([once(lines, 'line'), ended.then(() => null)])
    if (first === null) throw new Error('hangar serve ended')
    const { url } = JSON.parse(String(first[0])) as { url: string }
    await (await fetch(url)).arrayBuffer()
    return { wallMs: performance.now() - startedAtMs, cpuMs: cpuMsOf(child.pid!) }
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
}

/** `/proc/PID/stat` counts in hundredths of a second on all Linux systems. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
