import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { listPageFiles, createPageServer } from '../../src/main/electron/page-server.ts'
import { answerData, type DataHost } from '../../src/main/page/page-data.ts'
import { folderForAll } from '../temp-folder.ts'

const SECRET = 'outside the page'
const dir = folderForAll()
let serve: (request: Request) => Promise<Response>
const asked: string[] = []
let chargers: Uint8Array | null = null

beforeAll(() => {
  const page = join(dir, 'page')
  mkdirSync(join(page, 'assets'), { recursive: true })
  writeFileSync(join(page, 'index.html'), '<!doctype html>')
  writeFileSync(join(page, 'assets', 'main.js'), 'void 0')
  writeFileSync(join(page, 'main.js.map'), SECRET)
  writeFileSync(join(dir, 'secret.json'), SECRET)
  symlinkSync(join(dir, 'secret.json'), join(page, 'assets', 'link.json'))
  writeFileSync(join(dir, 'a.png'), 'picture bytes')
  symlinkSync(join(dir, 'secret.json'), join(dir, 'link.png'))
  const host: DataHost = {
    picture: async (jobId, kind) => {
      asked.push(`${jobId} ${kind}`)
      return jobId === 'job-1' ? { bytes: new Uint8Array([1, 2]), type: 'image/webp' } : null
    },
    output: async (jobId, index) => {
      const files: Record<string, string> = { 'job-1': 'a.png', 'job-link': 'link.png', 'job-gone': 'gone.png' }
      const file = files[jobId]
      return file === undefined ? null : { path: join(dir, file), rootDir: dir, name: `Möwe "${index}" (1)'.png` }
    },
    chargerData: async () => chargers,
  }
  serve = createPageServer({
    files: listPageFiles(page),
    data: (pathname) => answerData(host, pathname),
  })
})

const get = (path: string, method = 'GET') => serve(new Request(`hangar://app${path}`, { method }))

describe('the page', () => {
  it('comes with its type, a strict policy and nosniff', async () => {
    const response = await get('/')
    expect(await response.text()).toBe('<!doctype html>')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect((await get('/assets/main.js')).headers.get('content-type')).toMatch(/^text\/javascript/)
  })

  it.each([
    '/../secret.json',
    '/assets/../../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/..%5csecret.json',
    '/assets/link.json',
    '/main.js.map',
    '/assets/',
    '/nothing.js',
    '//etc/passwd',
    '/index.html%00.png',
  ])('is all there is: %s is not found', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
  })

  it('is served on its own host, and only read', async () => {
    expect((await serve(new Request('hangar://other/index.html'))).status).toBe(404)
    expect((await get('/index.html', 'POST')).status).toBe(405)
  })

  it('never gives what lies outside, whatever path is asked for', async () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', 'assets', 'secret.json', '\\', '%5c', '%00', '/'),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const url = `hangar://app/${parts.join('/')}`
        if (!URL.canParse(url)) return
        expect(await (await serve(new Request(url))).text()).not.toContain(SECRET)
      }),
    )
  })
})

describe('pictures and downloads', () => {
  it('come as data that can do nothing as a document', async () => {
    const response = await get('/picture/job-1/thumb?v=7')
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('content-security-policy')).toMatch(/sandbox/)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2]))
  })

  it('are asked for by a job and a known kind only', async () => {
    asked.length = 0
    expect((await get('/picture/job-1/raw')).status).toBe(404)
    expect((await get('/picture/job-1')).status).toBe(404)
    expect((await get('/picture/job-1/thumb/more')).status).toBe(404)
    expect(asked).toEqual([])
    expect((await get('/picture/job-2/thumb')).status).toBe(404)
  })

  it('are saved under their name, whatever it holds', async () => {
    const response = await get('/download/job-1/0')
    expect(await response.text()).toBe('picture bytes')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="M?we \\"0\\" (1)'.png"; filename*=UTF-8''M%C3%B6we%20%220%22%20%281%29%27.png`,
    )
    expect((await get('/download/job-1/original')).status).toBe(200)
    expect((await get('/download/job-1/-1')).status).toBe(404)
    expect((await get('/download/job-2/0')).status).toBe(404)
  })

  it('are not of what a link leads to, also one that came after the file was looked at', async () => {
    expect((await get('/download/job-link/0')).status).toBe(404)
    expect((await get('/download/job-gone/0')).status).toBe(404)
  })
})

it('the chargers are not found before there are any, and then come as data that nothing caches', async () => {
  expect((await get('/chargers.json?v=0')).status).toBe(404)
  chargers = Buffer.from('{"version":7,"chargers":[]}')
  const response = await get('/chargers.json?v=7')
  expect(await response.json()).toEqual({ version: 7, chargers: [] })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect((await get('/chargers.json', 'POST')).status).toBe(405)
})
