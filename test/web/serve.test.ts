import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { childEnvironment } from '../child-environment.ts'
import { CLI, Folders, jsonLines, runCli, startCli, type RunningCli } from '../cli/harness.ts'
import { eventually, linkIn, PageSocket, signIn } from './harness.ts'

const folders = new Folders()
afterAll(() => folders.removeAll())

const isBuilt = existsSync(resolve(import.meta.dirname, '../../out/renderer/index.html'))

const START = resolve(import.meta.dirname, '../../scripts/start.mjs')
/** util-linux's, which gives a command a terminal. */
const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script')

interface Serving {
  cli: RunningCli
  url: string
  port: number
  stop(): Promise<number | null>
}

async function serve(dataDir: string, ...more: string[]): Promise<Serving> {
  const cli = startCli(['serve', '--json', '--data-dir', dataDir, ...more])
  await cli.said(/"event":"serving"/, 30_000)
  const { url, port } = jsonLines(cli.text.stdout)[0] as { url: string; port: number }
  const stop = async () => {
    cli.child.kill('SIGTERM')
    return (await cli.ended).code
  }
  return { cli, url, port, stop }
}

describe.skipIf(!isBuilt)('hangar serve', { timeout: 60_000 }, () => {
  it('prints a link that opens the page, uses the practice service, and ends with 0 when it is told to', async () => {
    const dataDir = await folders.make('serve')
    const server = await serve(dataDir, '--port', '0')
    try {
      expect(server.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/#link=[\\w-]{43}$`))
      const page = await fetch(`http://127.0.0.1:${server.port}/`)
      expect(await page.text()).toContain('<div id="root">')
      const socket = await PageSocket.open(server.port, await signIn(server.port, linkIn(server.url)))
      const first = await socket.reply((reply) => 'message' in reply)
      expect(first).toMatchObject({
        message: {
          type: 'snapshot',
          state: { app: { capabilities: ['browse', 'upload', 'download'] }, service: { practice: true } },
        },
      })
      expect(await server.stop()).toBe(0)
      expect(await socket.closed).toBe(1001)
    } finally {
      server.cli.child.kill('SIGKILL')
    }
    expect(server.cli.text.stderr).toContain('A browser signed in.')
    const again = await serve(dataDir, '--port', String(server.port))
    expect(again.port).toBe(server.port)
    expect(await again.stop()).toBe(0)
  })

  it.each([
    [['--charger-url', 'http://127.0.0.1:9'], null, 'http://127.0.0.1:9'],
    [['--service-url', 'http://127.0.0.1:9/api/v1'], 'http://127.0.0.1:9/api/v1', null],
    [[], null, null],
  ] as const)('says of each service by itself where it is: %j', async (flags, imageService, chargerService) => {
    const dataDir = await folders.make('serve-services')
    const server = await serve(dataDir, '--port', '0', ...flags)
    expect(jsonLines(server.cli.text.stdout)[0]).toMatchObject({ imageService, chargerService })
    await server.stop()
    const cli = startCli(['serve', '--port', '0', '--data-dir', dataDir, ...flags])
    await cli.said(/works once/, 30_000)
    const lines = cli.text.stdout.split('\n')
    expect(lines).toContain(
      imageService === null
        ? 'Pictures go to the practice service: they stay on this computer, and nothing is charged.'
        : `Pictures are sent to ${imageService}.`,
    )
    expect(lines).toContain(
      chargerService === null
        ? 'Chargers are samples of the practice service, not for navigation.'
        : `Chargers are asked of ${chargerService}.`,
    )
    cli.child.kill('SIGTERM')
    await cli.ended
  })

  it('is given a link by another process, once, and says where it is when it is started twice', async () => {
    const dataDir = await folders.make('serve-twice')
    const server = await serve(dataDir, '--port', '0')
    try {
      const twice = await runCli(['serve', '--port', '0', '--data-dir', dataDir])
      expect([twice.code, twice.stdout]).toEqual([5, ''])
      expect(twice.stderr).toContain(`on port ${server.port}. A link for it: hangar serve --link.`)
      const asked = await runCli(['serve', '--link', '--json', '--data-dir', dataDir])
      expect([asked.code, asked.stderr]).toEqual([0, ''])
      const { url } = jsonLines(asked.stdout)[0] as { url: string }
      await signIn(server.port, linkIn(url))
      await expect(signIn(server.port, linkIn(url))).rejects.toThrow('401')
    } finally {
      await server.stop()
    }
    const late = await runCli(['serve', '--link', '--data-dir', dataDir])
    expect([late.code, late.stdout]).toEqual([2, ''])
    expect(late.stderr).toContain('Start one: hangar serve.')
  })

  it('gives no link for a server that was killed while another Hangar has the folder', async () => {
    const dataDir = await folders.make('serve-killed')
    const server = await serve(dataDir, '--port', '0')
    server.cli.child.kill('SIGKILL')
    await server.cli.ended
    const pictures = await folders.make('watched')
    const watch = startCli(['watch', '--practice', '--data-dir', dataDir, pictures])
    try {
      await watch.said(/Watching/, 30_000)
      const asked = await runCli(['serve', '--link', '--data-dir', dataDir])
      expect([asked.code, asked.stdout]).toEqual([2, ''])
    } finally {
      watch.child.kill('SIGTERM')
      await watch.ended
    }
  })

  it.skipIf(!hasScript)('prints another link when Enter is pressed in its terminal', async () => {
    const dataDir = await folders.make('serve-terminal')
    // Without `exec` some shells stay in between, and end by the Ctrl-C that is meant for Hangar.
    const command = ['exec', process.execPath, CLI, 'serve', '--port', '0', '--data-dir', dataDir].join(' ')
    const child = spawn('script', ['-qefc', command, '/dev/null'], { stdio: 'pipe' })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const links = () => new Set(text.match(/#link=[\w-]{43}/g))
    try {
      await eventually('it asks for Enter', () => text.includes('Enter prints another link.'), 20_000)
      child.stdin.write('\n')
      await eventually('another link is there', () => links().size === 2)
      child.stdin.write('\u0003')
      expect(await new Promise((done) => child.on('close', done))).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('ends with 2 when the port that was asked for is taken', async () => {
    const taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
    try {
      const { port } = taken.address() as AddressInfo
      const dataDir = await folders.make('serve-port')
      const ended = await runCli(['serve', '--port', String(port), '--data-dir', dataDir])
      expect(ended.code).toBe(2)
      expect(ended.stderr).toContain(`Port ${port} is taken`)
      expect(existsSync(join(dataDir, 'journal.db'))).toBe(true)
    } finally {
      taken.close()
    }
  })
})

describe.skipIf(!isBuilt)('npm start', { timeout: 90_000 }, () => {
  it('prints a link where there is no display, and ends with 0 on SIGTERM', async () => {
    const dataDir = await folders.make('start')
    const env = { ...childEnvironment(), HOME: dataDir, HANGAR_DATA_DIR: dataDir }
    const child = spawn(process.execPath, [START, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const ended = new Promise((done) => child.on('close', done))
    try {
      await eventually('a link is there', () => text.includes('#link='), 80_000)
      const url = /http:\S+/.exec(text)?.[0] ?? ''
      await signIn(Number(new URL(url).port), linkIn(url))
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
    expect(text).toContain('There is no display')
  })
})
