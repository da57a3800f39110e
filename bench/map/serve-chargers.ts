import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'

const CLI = join(import.meta.dirname, '..', '..', 'out', 'main', 'cli.js')

export interface Served {
  /** Signs a browser in, once. */
  url: string
  close(): Promise<void>
}

/** The practice service with `count` chargers, and `hangar serve` as it is built, which reads them. */
export async function serveChargers(count: number, dir: string): Promise<Served> {
  const started: ChildProcess[] = []
  const start = async (args: readonly string[], more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [CLI, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: dir, ...more },
    })
    started.push(child)
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    return JSON.parse(line) as Record<string, string>
  }
  const close = async () => {
    for (const child of started.toReversed()) {
      if (child.exitCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }
  try {
    const practice = await start(['practice', '--chargers', String(count), '--seed', '1'])
    const served = await start(
      ['serve', '--port', '0', '--data-dir', join(dir, 'data'), '--charger-url', practice.chargerBaseUrl!],
      { HANGAR_CHARGER_TOKEN: practice.partnerToken! },
    )
    return { url: served.url!, close }
  } catch (error) {
    await close()
    throw error
  }
}
