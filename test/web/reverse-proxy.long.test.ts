import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { launchChromium } from '../browser.ts'
import { jsonLines, startCli, type RunningCli } from '../cli/harness.ts'
import { allAre, browseTo, button, dropFiles, skipWelcome, visible } from '../e2e/by-hand.ts'
import { freePort } from '../free-port.ts'
import { BUILT, CHROMIUM, describeWith, OPENSSL, programs } from '../needs.ts'
import { PATIENCE_MS, until } from '../until.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const NAME = 'pictures.example.org'

/** The window behind nginx as docs/headless.md sets it up, with TLS, in a real browser. */
describeWith(
  BUILT,
  CHROMIUM,
  OPENSSL,
  programs('nginx'),
)('a page that nginx publishes', () => {
  let dir: string
  let origin: string
  let port: number
  let nginx: ChildProcess
  let hangar: RunningCli
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const sockets: string[] = []

  const serve = async (): Promise<string> => {
    const where = ['--public-url', origin, '--listen', `unix:${join(dir, 'hangar.sock')}`]
    const args = ['serve', '--json', '--practice', '--data-dir', join(dir, 'data'), ...where]
    hangar = startCli(args, { env: { HOME: join(dir, 'home') } })
    await hangar.said(/"event":"serving"/)
    return String(jsonLines(hangar.text.stdout)[0]!['url'])
  }

  beforeAll(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'hangar-proxy-')))
    port = await freePort()
    origin = `https://${NAME}:${port}`
    await mkdir(join(dir, 'home', 'inbox'), { recursive: true })
    nginx = await startNginx(dir, port)
    const link = await serve()
    browser = await launchChromium('whole', undefined, [`--host-resolver-rules=MAP ${NAME} 127.0.0.1`])
    context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-GB', acceptDownloads: true })
    context.setDefaultTimeout(PATIENCE_MS)
    page = await context.newPage()
    page.on('websocket', (socket) => sockets.push(socket.url()))
    await page.goto(link)
    await skipWelcome(page)
  })
  afterAll(async () => {
    await browser?.close()
    hangar?.child.kill('SIGKILL')
    await hangar?.ended
    nginx?.kill('SIGKILL')
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })

  it('signs a browser in by the link, with a cookie that goes nowhere else', async () => {
    const cookies = await context.cookies(origin)
    expect(cookies).toEqual([
      expect.objectContaining({
        name: expect.stringMatching(/^__Host-hangar-[0-9a-f]{16}$/) as string,
        domain: NAME,
        path: '/',
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
      }),
    ])
    expect(new Set(sockets)).toEqual(new Set([`wss://${NAME}:${port}/socket`]))
  })

  it('takes a picture that is dropped on it, and shows what becomes of it as it happens', async () => {
    const picture = join(dir, 'aurora.jpg')
    await copyFile(join(ROOT, 'resources/samples/airfield-at-dawn.jpg'), picture)
    await dropFiles({ context, page }, [picture])
    await (await visible(button(page, 'Choose a folder…'))).click()
    await browseTo(page, join(dir, 'home', 'inbox'))
    await (await visible(page.getByRole('button', { name: /^Process/ }))).click()
    await allAre(page, ['aurora.jpg'], 'Done')
    const shown = page.getByRole('row').filter({ hasText: 'aurora.jpg' }).locator('img').first()
    await visible(shown)
    await until('its picture is loaded', async () => (await shown.evaluate('node => node.naturalWidth')) !== 0)
  })

  it('goes on by itself after Hangar was killed and started again on the socket that was left', async () => {
    hangar.child.kill('SIGKILL')
    await hangar.ended
    const before = sockets.length
    await serve()
    await until('the page has another connection', () => sockets.length > before)
    await allAre(page, ['aurora.jpg'], 'Done')
    await page.reload()
    await allAre(page, ['aurora.jpg'], 'Done')
  })

  it('is refused by any other name, and to pages of any other origin', async () => {
    const cookie = (await context.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ')
    const own = `${NAME}:${port}`
    expect(await statusOf(port, 'GET', { host: own })).toBe(200)
    for (const host of [NAME, `127.0.0.1:${port}`, `localhost:${port}`, `evil.example:${port}`]) {
      const forwarded = { 'x-forwarded-host': own, 'x-forwarded-proto': 'https' }
      expect(await statusOf(port, 'GET', { host, cookie, ...forwarded }), host).toBe(421)
      expect(await statusOf(port, 'POST', { host, cookie, origin: `https://${host}`, ...forwarded })).toBe(421)
    }
    for (const other of [`http://${own}`, `https://${NAME}`, 'https://evil.example', `https://127.0.0.1:${port}`]) {
      expect(await statusOf(port, 'POST', { host: own, cookie, origin: other }), other).toBe(403)
      await expect(upgrade(port, { host: own, cookie, origin: other })).rejects.toThrow('403')
    }
    await upgrade(port, { host: own, cookie, origin })
  })
})

/** The configuration that docs/headless.md shows, with the names and paths of this test. */
async function startNginx(dir: string, port: number): Promise<ChildProcess> {
  const [certificate, key] = [join(dir, 'certificate.pem'), join(dir, 'key.pem')]
  const self = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`]
  execFileSync('openssl', ['req', ...self, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const text = await readFile(join(ROOT, 'docs/headless.md'), 'utf8')
  const shown = /```nginx\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  const put: [string, string][] = [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/ssl/pictures.example.org.pem', certificate],
    ['/etc/ssl/private/pictures.example.org.key', key],
    ['/run/hangar/hangar.sock', join(dir, 'hangar.sock')],
  ]
  for (const [from] of put) expect(shown).toContain(from)
  const server = put.reduce((all, [from, to]) => all.replaceAll(from, to), shown)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${dir}/${what};`,
  )
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const file = join(dir, 'nginx.conf')
  await writeFile(
    file,
    `${user} daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log; worker_processes 1; events {}
http { access_log off; ${temporary.join(' ')} ${server} }`,
  )
  const child = spawn('nginx', ['-c', file, '-p', dir], { stdio: 'ignore' })
  const log = () => readFile(join(dir, 'error.log'), 'utf8').catch(() => '')
  await until('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${await log()}`)
    return (await statusOf(port, 'GET', { host: NAME }).catch(() => null)) !== null
  })
  return child
}

function statusOf(port: number, method: 'GET' | 'POST', headers: Record<string, string>): Promise<number> {
  return new Promise((done, failed) => {
    const path = method === 'POST' ? '/sign-in/challenge' : '/'
    const where = { host: '127.0.0.1', port, path, servername: NAME, rejectUnauthorized: false, agent: false }
    const body = method === 'POST' ? { 'content-type': 'application/json' } : {}
    const asked = request({ ...where, method, headers: { ...headers, ...body } }, (answer) => {
      answer.resume()
      done(answer.statusCode ?? 0)
    })
    asked.on('error', failed).end(method === 'POST' ? '{}' : undefined)
  })
}

/** Opens the page's socket and closes it; rejects with the status of a refusal. */
function upgrade(port: number, { origin, ...headers }: Record<string, string>): Promise<void> {
  const options = { headers, rejectUnauthorized: false, servername: NAME, ...(origin === undefined ? {} : { origin }) }
  const socket = new WebSocket(`wss://127.0.0.1:${port}/socket`, options)
  return new Promise((done, failed) => {
    socket.on('open', () => {
      socket.close()
      done()
    })
    socket.on('error', failed)
  })
}
