import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { BUILT, describeWith, itWith, LINUX_ROOT, need, POSIX } from '../needs.ts'
import { jsonLines, runCli, startCli, startNode } from '../cli/harness.ts'
import { closeAll, startHttp } from '../services/harness.ts'
import { linkIn, PageSocket, signIn, TestBrowser } from './harness.ts'
import { folderForAll } from '../temp-folder.ts'
import { until } from '../until.ts'
import { untilTestEnds } from '../cli/for-all-tests.ts'

afterEach(closeAll)

const IN_BROWSER = resolve(import.meta.dirname, 'start-in-browser.mjs')
const START = resolve(import.meta.dirname, '../../scripts/start.mjs')
/** util-linux's, which gives a command a terminal. */
const SCRIPT = need('script of util-linux', process.platform === 'linux' && existsSync('/usr/bin/script'))

async function serve(dataDir: string, more: string[], env: Record<string, string> = {}) {
  const cli = untilTestEnds(startCli(['serve', '--json', '--data-dir', dataDir, ...more], { env }))
  await cli.said(/"event":"serving"/)
  const { url, port } = jsonLines(cli.text.stdout)[0] as { url: string; port: number }
  return { cli, url, port, stop: async () => (await cli.stop()).code }
}

/** As the page of Credits does. Without an account this starts the practice service. */
async function askBalance({ port, url }: Awaited<ReturnType<typeof serve>>): Promise<void> {
  const socket = await PageSocket.open(port, await signIn(port, linkIn(url)))
  socket.send({ id: 1, channel: 'credits.balance', request: {} })
  expect(await socket.reply(({ id }) => id === 1)).toMatchObject({ result: { value: { balance: 500 } } })
}

describeWith(BUILT)('hangar serve', () => {
  it('prints a link that opens the page, uses the practice service, and ends with 0 when it is told to', async () => {
    const dataDir = folderForAll()
    const server = await serve(dataDir, ['--port', String(await freePort())])
    expect(server.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/#link=[\\w-]{43}$`))
    const page = await fetch(`http://127.0.0.1:${server.port}/`)
    expect(await page.text()).toContain('<div id="root">')
    const socket = await PageSocket.open(server.port, await signIn(server.port, linkIn(server.url)))
    const state = { app: { capabilities: ['browse', 'upload', 'download'] }, service: { practice: true } }
    expect(await socket.reply((reply) => 'message' in reply)).toMatchObject({ message: { type: 'snapshot', state } })
    expect(await server.stop()).toBe(0)
    expect(await socket.closed).toBe(1001)
    expect(server.cli.text.stderr).toContain('A browser signed in.')
    const again = await serve(dataDir, ['--port', String(server.port)])
    expect(again.port).toBe(server.port)
    expect(await again.stop()).toBe(0)
  })

  it('signs what hooks post with the secret of the environment', async () => {
    const dataDir = folderForAll()
    const { origin, requests } = await startHttp((_, response) => response.end())
    const hooks = [{ on: 'low_credits', below: 1000, post: `${origin}/` }]
    await writeFile(join(dataDir, 'hooks.json'), JSON.stringify(hooks), { mode: 0o600 })
    const server = await serve(dataDir, ['--port', '0'], { HANGAR_HOOK_SECRET: 'a-secret-of-its-own' })
    await askBalance(server)
    await until('the hook is told', () => requests.length > 0)
    const { headers, body } = requests[0]!
    const [, seconds, hex] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['hangar-signature']))!
    expect(hex).toBe(
      createHmac('sha256', 'a-secret-of-its-own')
        .update(`${seconds}.${String(body)}`)
        .digest('hex'),
    )
    expect(JSON.parse(String(body))).toMatchObject({ event: 'low_credits', below: 1000, credits: 500 })
    expect(await server.stop()).toBe(0)
  })

  it.each([
    ['--charger-url', 'stay on this computer, and nothing is charged.', 'Chargers come from http://127.0.0.1:9.'],
    ['--service-url', 'Pictures are sent to http://127.0.0.1:9/api/v1.', 'Chargers are samples of the practice'],
  ])('says of each service by itself where it is: %s', async (flag, ofPictures, ofChargers) => {
    const dataDir = folderForAll()
    const address = flag === '--service-url' ? 'http://127.0.0.1:9/api/v1' : 'http://127.0.0.1:9'
    const cli = untilTestEnds(startCli(['serve', '--port', '0', '--data-dir', dataDir, flag, address]))
    await cli.said(/works once/)
    expect(cli.text.stdout).toContain(ofPictures)
    expect(cli.text.stdout).toContain(ofChargers)
  })

  it('is given a link by another process, once, and says where it is when it is started twice', async () => {
    const dataDir = folderForAll()
    const server = await serve(dataDir, ['--port', '0'])
    const twice = await runCli(['serve', '--port', '0', '--data-dir', dataDir])
    expect([twice.code, twice.stdout]).toEqual([5, ''])
    expect(twice.stderr).toContain(
      `at http://127.0.0.1:${server.port}/. A link for it: hangar serve --link --data-dir "${dataDir}"`,
    )
    const asked = await runCli(['serve', '--link', '--json', '--data-dir', dataDir])
    expect([asked.code, asked.stderr]).toEqual([0, ''])
    const { url } = jsonLines(asked.stdout)[0] as { url: string }
    await signIn(server.port, linkIn(url))
    await expect(signIn(server.port, linkIn(url))).rejects.toThrow('401')
    await server.stop()
    const late = await runCli(['serve', '--link', '--data-dir', dataDir])
    expect([late.code, late.stdout]).toEqual([2, ''])
    expect(late.stderr).toContain('Start one: hangar serve.')
  })

  it('signs all browsers out by another process, whether it runs or not', async () => {
    const dataDir = folderForAll()
    const server = await serve(dataDir, ['--port', '0'])
    const signOut = async () => (await runCli(['serve', '--sign-out', '--data-dir', dataDir])).stdout
    const { browser, cookie } = await signIn(server.port, linkIn(server.url))
    expect((await browser.ask(server.port, { cookie })).status).toBe(200)
    expect(await signOut()).toBe('1 browser is signed out.\n')
    expect((await browser.ask(server.port, { cookie })).status).toBe(401)
    await server.stop()
    expect(await signOut()).toBe('0 browsers are signed out.\n')
    const asked = await runCli(['serve', '--sign-out', '--json', '--data-dir', join(dataDir, 'nowhere')])
    expect([asked.code, asked.stdout]).toEqual([0, '{"event":"signedOut","count":0}\n'])
    // Whether browsers are signed in there cannot be told.
    const planted = folderForAll()
    await symlink(join(planted, 'nowhere'), join(planted, 'journal.db'))
    expect(await runCli(['serve', '--sign-out', '--data-dir', planted])).toMatchObject({ code: 2, stdout: '' })
  })

  itWith(SCRIPT)(
    'hands its browser the link without naming it among the arguments, which others can read',
    async () => {
      const [dataDir, bin] = [folderForAll(), folderForAll()]
      await writeFile(
        join(bin, 'xdg-open'),
        `#!/bin/sh\nprintf %s "$1" > ${bin}/asked.part && mv ${bin}/asked.part ${bin}/asked\n`,
        { mode: 0o755 },
      )
      const server = await serve(dataDir, ['--port', '0', '--open'], { PATH: `${bin}:${process.env['PATH']}` })
      await until('a browser is asked for', () => existsSync(join(bin, 'asked')))
      const asked = await readFile(join(bin, 'asked'), 'utf8')
      expect(asked).not.toContain('link=')
      const page = fileURLToPath(asked)
      expect((await stat(page)).mode & 0o777).toBe(0o600)
      const url = /url=(http[^"]+)/.exec(await readFile(page, 'utf8'))![1]!
      await signIn(server.port, linkIn(url))
      await until('the page is gone', () => !existsSync(page))
    },
  )

  it('gives no link for a server that was killed while another Hangar has the folder', async () => {
    const dataDir = folderForAll()
    const server = await serve(dataDir, ['--port', '0'])
    await server.cli.stop('SIGKILL')
    const pictures = folderForAll()
    const watch = untilTestEnds(startCli(['watch', '--practice', '--data-dir', dataDir, pictures]))
    await watch.said(/Watching/)
    const asked = await runCli(['serve', '--link', '--data-dir', dataDir])
    expect([asked.code, asked.stdout]).toEqual([2, ''])
  })

  it('leaves nothing of the practice service behind in the temporary folder', async () => {
    const [dataDir, temporary] = [folderForAll(), folderForAll()]
    const server = await serve(dataDir, ['--practice', '--port', '0'], { TMPDIR: temporary, TEMP: temporary })
    await askBalance(server)
    const scratch = (await readdir(temporary)).filter((name) => name.startsWith('hangar-practice-'))
    expect(scratch).toHaveLength(1)
    await writeFile(join(temporary, scratch[0]!, 'a-picture'), 'as the service keeps one that was sent')
    expect(await server.stop()).toBe(0)
    expect(await readdir(temporary)).toEqual([])
  })

  it('answers monitors, /metrics only to those with the token', async () => {
    const dataDir = folderForAll()
    const [file, token] = [join(dataDir, 'token'), 'a-token-in-a-file-0123456789']
    await writeFile(file, `${token}\n`, { mode: 0o644 })
    const server = await serve(join(dataDir, 'data'), ['--port', '0', '--metrics-token-file', file])
    const metrics = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${server.port}/metrics`, { headers })
    expect(await (await fetch(`http://127.0.0.1:${server.port}/healthz`)).text()).toBe('ok')
    expect((await metrics({ authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await metrics({})).status).toBe(401)
    if (POSIX === null) expect(server.cli.text.stderr).toMatch(/the file in --metrics-token-file: chmod 600/)
    await server.stop()
    const logs = join(dataDir, 'data', 'logs')
    for (const log of await readdir(logs)) expect(await readFile(join(logs, log), 'utf8')).not.toContain(token)
  })

  it('is published at another address, and found there by the commands for its sign-ins', async () => {
    const [dataDir, port] = [folderForAll(), await freePort()]
    const published = ['--public-url', 'https://pictures.example.org', '--listen', '127.0.0.1', '--port', String(port)]
    const server = await serve(dataDir, published)
    expect(server.url).toMatch(/^https:\/\/pictures\.example\.org\/#link=/)
    expect(server.port).toBe(port)
    const twice = await runCli(['serve', '--port', '0', '--data-dir', dataDir])
    expect(twice.stderr).toContain('at https://pictures.example.org/. A link for it: hangar serve --link')
    const asked = await runCli(['serve', '--link', '--json', '--data-dir', dataDir])
    const { url } = jsonLines(asked.stdout)[0] as { url: string }
    const asPage = { host: 'pictures.example.org', scheme: 'https' } as const
    const { browser, cookie } = await new TestBrowser().signIn(port, { ...asPage, link: linkIn(url) })
    expect((await runCli(['serve', '--sign-out', '--data-dir', dataDir])).code).toBe(0)
    expect((await browser.ask(port, { ...asPage, cookie })).status).toBe(401)
    expect(await server.stop()).toBe(0)
  })
})

describeWith(BUILT)('npm start', () => {
  it('prints a link where there is no display, and ends with 0 on SIGTERM', async () => {
    const home = folderForAll()
    const env = { HOME: home, HANGAR_DATA_DIR: join(home, 'data') }
    const start = untilTestEnds(startNode([START, '--port', '0'], { env }))
    await start.said(/#link=.*\n/)
    const url = /http:\S+#link=\S+/.exec(start.text.stdout)?.[0] ?? ''
    await signIn(Number(new URL(url).port), linkIn(url))
    const { code, stdout, stderr } = await start.stop()
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('There is no display')])
  })

  itWith(LINUX_ROOT)('shows another user no link, in no argument of any process and in no file', async () => {
    const dataDir = folderForAll()
    const seenFile = join(dataDir, 'argv.json')
    const standIn = join(dataDir, 'browser.mjs')
    await writeFile(
      standIn,
      `#!${process.execPath}
import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(seenFile)}, JSON.stringify({ pid: process.pid, argv: process.argv.slice(2) }))
setInterval(() => undefined, 1000)
`,
    )
    await chmod(standIn, 0o755)
    const env = { HOME: dataDir, HANGAR_DATA_DIR: join(dataDir, 'data'), CHROME_PATH: standIn }
    const start = untilTestEnds(startNode([IN_BROWSER, '--port', '0'], { env }))
    const readSeen = async () => JSON.parse(await readFile(seenFile, 'utf8')) as { pid: number; argv: string[] }
    await until('the window is opened', async () => (await readSeen()).pid > 0)
    const { pid, argv } = await readSeen()
    const address = argv.find((one) => one.startsWith('--app='))?.slice('--app='.length) ?? ''
    const file = fileURLToPath(address)
    const asStranger = (script: string) =>
      promisify(execFile)('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', script])
    const { stdout } = await asStranger(`cat /proc/${pid}/cmdline; cat /proc/[0-9]*/cmdline 2>/dev/null; true`)
    expect(stdout).toContain(standIn)
    expect(stdout).not.toContain('link=')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await chmod(dataDir, 0o755)
    await expect(asStranger(`cat '${file}'`)).rejects.toThrow('Permission denied')

    const url = /"(http:[^"]+)"/.exec(await readFile(file, 'utf8'))?.[1] ?? ''
    await signIn(Number(new URL(url).port), linkIn(url))
    await until('the file is gone once it was used', () => !existsSync(file))
    const ended = await start.stop()
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([0, expect.not.stringContaining('link=')])
  })
})
