import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import type { ServeRequest } from './serve.ts'

export interface SeededShell {
  /** Signs one browser in, once. */
  link(): Promise<string>
  send(request: ServeRequest): void
  close(): Promise<void>
}

/** The web shell of serve.ts in a process of its own, as it always is. */
export async function serveSeeded(dataDir: string, pageDir: string): Promise<SeededShell> {
  const child = fork(join(import.meta.dirname, 'serve.ts'), [dataDir, pageDir], { stdio: 'inherit' })
  const next = async () => {
    const [message] = (await once(child, 'message')) as [{ link: string }]
    return message.link
  }
  let first: string | null = await next()
  return {
    link: async () => {
      const link = first
      first = null
      if (link !== null) return link
      const answer = next()
      child.send({ link: true } satisfies ServeRequest)
      return answer
    },
    send: (request) => child.send(request),
    close: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

export interface Started {
  url: string
  close(): Promise<void>
}

/** `hangar serve` as it is built, on a new data folder; resolves when it says where it is. */
export async function startServe(dataDir: string, home: string): Promise<Started> {
  const cli = join(import.meta.dirname, '..', '..', 'out', 'main', 'cli.js')
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--json', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: home },
  })
  const ended = once(child, 'exit')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return {
    url: (JSON.parse(line) as { url: string }).url,
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
