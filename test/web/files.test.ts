import { appendFile, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { itWith, LINUX_ROOT } from '../needs.ts'
import { ask, journalOf, openWorld, worldForTest } from './harness.ts'
import type { Answer, PageSocket, Visitor, WebWorld } from './harness.ts'
import { chargersPath, withSecret } from '../../src/shared/contract/page-bridge.ts'
import { until } from '../until.ts'

const MB = 2 ** 20
const LIMITS = { fileBytes: MB, idleMs: 120_000 }
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(4000, 7)])
/** Each of another content. */
const picture = (n: number) => Buffer.concat([JPEG, Buffer.from(`picture ${n}`)])
const TYPE = { 'content-type': 'application/octet-stream' }

let world: WebWorld
let visitor: Visitor
beforeAll(async () => {
  world = await openWorld({ uploadLimits: LIMITS })
})
beforeEach(async () => {
  visitor = await world.signIn()
  world.inboxDir.current = world.inbox
})
afterAll(() => world.close())

const addressOf = (path: string) => `/upload?path=${encodeURIComponent(path)}`

const post = (address: string, body: Buffer = JPEG, more: Record<string, string> = {}): Promise<Answer> =>
  ask(world.port, address, { method: 'POST', headers: { ...visitor.headers, ...TYPE, ...more }, body })
const upload = (path: string, ...rest: [Buffer?, Record<string, string>?]) => post(addressOf(path), ...rest)

const listing = async (dir = world.inbox) => (await readdir(dir, { recursive: true })).sort()

/** An upload of half a megabyte, when its first bytes are in the inbox. */
async function uploadHalf(
  inbox: string,
  path: string,
  { port, headers } = { port: world.port, headers: visitor.headers },
) {
  const body = Buffer.concat([JPEG, Buffer.alloc(500_000)])
  const all = { ...headers, ...TYPE, 'content-length': String(body.length) }
  const sent = request({ host: '127.0.0.1', port, path: addressOf(path), method: 'POST', headers: all, agent: false })
  const ended = new Promise<'closed' | { status: number; body: string }>((resolve) => {
    sent.on('error', () => resolve('closed'))
    sent.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('error', () => resolve('closed'))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
    })
  })
  sent.write(body.subarray(0, 300_000))
  await until('it has begun', async () => (await listing(inbox)).some((name) => name.endsWith('.part')))
  return { ended, goAway: () => sent.destroy(), sendRest: () => sent.end(body.subarray(300_000)) }
}

const freshInbox = async (name: string) => {
  const dir = join(world.dir, name)
  await mkdir(dir)
  world.inboxDir.current = dir
  return dir
}

describe('An upload', () => {
  it('lands in the inbox, whole, and comes back as a place', async () => {
    const inbox = await freshInbox('whole')
    const answer = await upload('Möwe.jpg')
    expect(answer.status, answer.body).toBe(200)
    const { value } = answer.json() as { value: { token: string; path: string; kind: string } }
    expect(value).toMatchObject({ path: join(inbox, 'Möwe.jpg'), kind: 'file' })
    expect(world.host.places.resolve(value.token)).toBe(value.path)
    expect(await readFile(value.path)).toEqual(JPEG)
    expect(await listing(inbox)).toEqual(['Möwe.jpg'])
  })

  it('needs an inbox', async () => {
    world.inboxDir.current = null
    expect(await upload('a.jpg')).toMatchObject({
      status: 409,
      body: expect.stringContaining('upload_without_folder') as string,
    })
  })

  it('never takes a name that is taken, also not one that differs in case only', async () => {
    const inbox = await freshInbox('taken')
    await writeFile(join(inbox, 'a.jpg'), 'mine')
    for (const [n, name] of ['a.jpg', 'A.JPG', 'a.jpg'].entries())
      expect((await upload(name, picture(n))).status).toBe(200)
    expect(await listing(inbox)).toEqual(['A-3.JPG', 'a-2.jpg', 'a-4.jpg', 'a.jpg'])
    expect(await readFile(join(inbox, 'a.jpg'), 'utf8')).toBe('mine')
  })

  it('cannot leave the inbox, by its name or through a link', async () => {
    const inbox = await freshInbox('fenced')
    const before = (await readdir(world.dir)).sort()
    for (const path of [
      '../out.jpg',
      '/etc/out.jpg',
      '..\\..\\out.jpg',
      'a/../../../out.jpg',
      '~/out.jpg',
      'C:\\out.jpg',
    ])
      expect((await upload(path)).status, path).toBe(200)
    await mkdir(join(world.dir, 'elsewhere'))
    await symlink(join(world.dir, 'elsewhere'), join(inbox, 'linked'))
    expect((await upload('linked/out.jpg')).status).toBe(400)
    expect(await readdir(join(world.dir, 'elsewhere'))).toEqual([])
    expect((await readdir(world.dir)).sort()).toEqual([...before, 'elsewhere'].sort())
    expect((await listing(inbox)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('keeps the folders of a dropped folder', async () => {
    const inbox = await freshInbox('folders')
    expect((await upload('Trip/Day 1/a.jpg')).status).toBe(200)
    expect(await listing(inbox)).toEqual(['Trip', 'Trip/Day-1', 'Trip/Day-1/a.jpg'])
  })

  it('is refused with nothing left behind when it is no picture, by name or by bytes', async () => {
    const inbox = await freshInbox('no-pictures')
    for (const name of ['a.html', 'a.jpg.alt.json', '.hidden']) expect((await upload(name)).status, name).toBe(415)
    for (const bytes of [Buffer.from('<script>alert(1)</script>'), Buffer.alloc(0), Buffer.from([0xff])])
      expect((await upload('page.jpg', bytes)).status).toBe(415)
    expect(await listing(inbox)).toEqual([])
  })

  it('is refused when it is too large, whether it says so beforehand or not', async () => {
    const inbox = await freshInbox('large')
    const large = Buffer.concat([JPEG, Buffer.alloc(MB)])
    expect((await upload('a.jpg', large)).status).toBe(413)
    expect((await upload('a.jpg', large, { 'transfer-encoding': 'chunked' })).status).toBe(413)
    expect(await listing(inbox)).toEqual([])
  })

  it('needs the token: the cookie of another port is not enough', async () => {
    const inbox = await freshInbox('token')
    const other = await world.signIn()
    for (const token of ['', 'wrong', other.token])
      expect((await upload('a.jpg', JPEG, { 'x-hangar-token': token })).status).toBe(401)
    expect((await upload('a.jpg', JPEG, { cookie: '' })).status).toBe(401)
    expect((await upload('a.jpg', JPEG, { origin: `http://127.0.0.1:${world.port + 1}` })).status).toBe(403)
    expect(await listing(inbox)).toEqual([])
  })

  it('leaves nothing behind when the browser goes away in the middle', async () => {
    const inbox = await freshInbox('cut')
    const half = await uploadHalf(inbox, 'cut.jpg')
    half.goAway()
    await until('the part is gone', async () => (await listing(inbox)).length === 0)
    await half.ended
  })

  it('is ended when nothing more comes, and leaves nothing behind', async () => {
    const own = await worldForTest({ uploadLimits: { ...LIMITS, idleMs: 2000 } })
    const { headers } = await own.signIn()
    const half = await uploadHalf(own.inbox, 'stalled.jpg', { port: own.port, headers })
    expect(await half.ended).toBe('closed')
    await until('the part is gone', async () => (await listing(own.inbox)).length === 0)
  })

  it('goes nowhere when the inbox is gone or is another folder by its end', async () => {
    const changes: Record<string, (inbox: string) => Promise<unknown>> = {
      moved: () => Promise.resolve(),
      recreated: (inbox) => mkdir(inbox),
      'a link': async (inbox) => {
        await mkdir(`${inbox}-target`)
        await symlink(`${inbox}-target`, inbox)
      },
    }
    for (const [change, make] of Object.entries(changes)) {
      for (const path of ['late.jpg', 'Trip/late.jpg']) {
        const inbox = await freshInbox(`gone-${change.replace(' ', '-')}-${path.length}`)
        const half = await uploadHalf(inbox, path)
        await rename(inbox, `${inbox}-moved`)
        await make(inbox)
        const before = await listing(world.dir)
        half.sendRest()
        const answer = await half.ended
        expect(answer, change).toMatchObject({ status: 409, body: expect.stringContaining('folder_gone') as string })
        // What was received stays hidden in the folder that was moved.
        expect(await listing(world.dir), change).toEqual(before)
      }
    }
  })

  it('is refused in any form but its own', async () => {
    const inbox = await freshInbox('forms')
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain'])
      expect((await upload('a.jpg', JPEG, { 'content-type': type })).status, type).toBe(415)
    for (const address of ['/upload', '/upload?path=a.jpg&path=b.jpg', addressOf(`${'x'.repeat(5000)}.jpg`)])
      expect((await post(address)).status, address).toBe(400)
    expect(await listing(inbox)).toEqual([])
  })

  it('that a crash cut off is swept at the next start, and nothing else, also not that of another Hangar', async () => {
    const crashed = await worldForTest({ port: await freePort() })
    const { headers } = await crashed.signIn()
    const half = await uploadHalf(crashed.inbox, 'a.jpg', { port: crashed.port, headers })
    const [part = ''] = await listing(crashed.inbox)
    half.goAway()
    await until('the part is gone', async () => (await listing(crashed.inbox)).length === 0)
    const kept = ['.hangar-upload-0123456789abcdef-mine.part', '.hidden', 'a.jpg']
    for (const name of [part, ...kept]) await writeFile(join(crashed.inbox, name), 'x')
    await crashed.restart()
    expect(await listing(crashed.inbox)).toEqual(kept)
  })

  it('goes on when another Hangar with the same inbox starts', async () => {
    const inbox = await freshInbox('shared')
    const half = await uploadHalf(inbox, 'mine.jpg')
    await worldForTest({ inboxDir: () => Promise.resolve(inbox) })
    half.sendRest()
    expect(await half.ended).toMatchObject({ status: 200 })
    expect(await listing(inbox)).toEqual(['mine.jpg'])
  })

  itWith(LINUX_ROOT)('says that the disk is full, and leaves nothing behind', async () => {
    const inbox = await freshInbox('tiny')
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', inbox])
    try {
      const large = Buffer.concat([JPEG, Buffer.alloc(300_000)])
      for (const more of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
        const answer = await upload('a.jpg', large, more)
        expect(answer.status, answer.body).toBe(507)
        expect(answer.json()).toMatchObject({ ok: false, error: { code: 'disk_full' } })
      }
      expect(await listing(inbox)).toEqual([])
      expect((await upload('a.jpg')).status).toBe(200)
    } finally {
      execFileSync('umount', [inbox])
    }
  })
})

describe('An upload that nobody decided about', () => {
  const call = async (socket: PageSocket, channel: string, request: unknown) => {
    const id = (nextId += 1)
    socket.send({ id, channel, request })
    return (await socket.reply((reply) => reply['id'] === id))['result'] as { ok: boolean; value: unknown }
  }
  let nextId = 0
  const placeOf = (answer: Answer) => (answer.json() as { value: { token: string; path: string } }).value
  const putIn = async (path: string, bytes?: Buffer) => placeOf(await upload(path, bytes))
  const discard = async (...tokens: string[]) => {
    const socket = await world.connect(visitor)
    return ((await call(socket, 'uploads.discard', { tokens })).value as { removed: number }).removed
  }

  it('is removed when a person cancels, with the folders that it made, and nothing else', async () => {
    const inbox = await freshInbox('cancelled')
    await mkdir(join(inbox, 'Trip'))
    await writeFile(join(inbox, 'mine.jpg'), 'mine')
    const places = [
      await putIn('a.jpg'),
      await putIn('Trip/b.jpg'),
      await putIn('New/Day/c.jpg'),
      await putIn('New/Day/d.jpg'),
    ]
    const kept = await putIn('New/e.jpg')
    const mine = world.host.places.register(join(inbox, 'mine.jpg'), 'file')
    expect(await discard(mine.token, 'not-a-token-of-ours', ...places.map(({ token }) => token))).toBe(4)
    expect(await listing(inbox)).toEqual(['New', 'New/e.jpg', 'Trip', 'mine.jpg'])
    expect(await discard(kept.token)).toBe(1)
    expect(await listing(inbox)).toEqual(['Trip', 'mine.jpg'])
  })

  it('stays when it was changed, replaced or is used by a job', async () => {
    const inbox = await freshInbox('changed')
    const [changed, replaced, used, linked] = [
      await putIn('changed.jpg'),
      await putIn('replaced.jpg'),
      await putIn('used.jpg'),
      await putIn('linked.jpg'),
    ]
    await appendFile(changed.path, 'more')
    await writeFile(join(inbox, 'new'), JPEG)
    await rename(join(inbox, 'new'), replaced.path)
    await rename(linked.path, join(inbox, 'elsewhere.jpg'))
    await symlink(join(inbox, 'elsewhere.jpg'), linked.path)
    journalOf(world)
      .prepare(
        `INSERT INTO jobs (id, batch_id, path, signature, service_id, state, created_at_ms, updated_at_ms, doc, name_key, size_bytes)
         VALUES ('J', 'B', ?, '', '', 'done', 0, 0, '{}', '', 1)`,
      )
      .run(used.path)
    expect(await discard(...[changed, replaced, used, linked].map(({ token }) => token))).toBe(0)
    expect(await listing(inbox)).toEqual(['changed.jpg', 'elsewhere.jpg', 'linked.jpg', 'replaced.jpg', 'used.jpg'])
  })

  it('is not written again for the same content, which stays then, whatever is decided about either', async () => {
    const inbox = await freshInbox('again')
    await writeFile(join(inbox, 'mine.jpg'), JPEG)
    const first = await putIn('a.jpg')
    const again = await putIn('a.jpg')
    const other = await putIn('a.jpg', picture(1))
    const mine = await putIn('mine.jpg')
    expect([again.path, other.path]).toEqual([first.path, join(inbox, 'a-2.jpg')])
    expect(await listing(inbox)).toEqual(['a-2.jpg', 'a.jpg', 'mine.jpg'])
    expect(await discard(first.token, again.token, mine.token, other.token)).toBe(1)
    expect(await listing(inbox)).toEqual(['a.jpg', 'mine.jpg'])
  })

  it('stays when the server is started again', async () => {
    const own = await worldForTest({ port: await freePort() })
    const { headers } = await own.signIn()
    const asked = { method: 'POST', headers: { ...headers, ...TYPE }, body: JPEG }
    expect((await ask(own.port, addressOf('left.jpg'), asked)).status).toBe(200)
    await own.restart()
    expect(await readdir(own.inbox)).toEqual(['left.jpg'])
  })
})

describe('A picture', () => {
  const own = () => ({ cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' })
  it('is shown to our own page, in a sandbox, and kept nowhere', async () => {
    world.host.pictures.set('JOB1/thumb', { bytes: Buffer.from('webp bytes'), type: 'image/webp' })
    const { addressSecret } = visitor
    const answer = await ask(world.port, withSecret('/picture/JOB1/thumb?v=1', addressSecret), { headers: own() })
    expect([answer.status, answer.body]).toEqual([200, 'webp bytes'])
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const path of ['/picture/JOB1/large', '/picture/JOB2/thumb', '/picture/..%2f..%2fetc/thumb'])
      expect((await ask(world.port, withSecret(path, addressSecret), { headers: own() })).status).toBe(404)
  })

  it('and a download are not for a program that was handed the cookie on another port, whatever else it sends', async () => {
    const other = await world.signIn()
    for (const path of ['/picture/JOB1/thumb?v=1', '/download/JOB1/original', '/chargers.json'])
      for (const tried of [
        path,
        withSecret(path, ''),
        withSecret(path, 'x'.repeat(43)),
        withSecret(path, other.addressSecret),
      ])
        expect((await ask(world.port, tried, { headers: own() })).status, tried).toBe(403)
    const again = withSecret(withSecret('/picture/JOB1/thumb', visitor.addressSecret), visitor.addressSecret)
    expect((await ask(world.port, again, { headers: own() })).status).toBe(403)
  })

  it('is not shown to a page on another port, although that sends the cookie', async () => {
    const path = withSecret('/picture/JOB1/thumb', visitor.addressSecret)
    for (const site of ['same-site', 'cross-site', 'none'])
      expect((await ask(world.port, path, { headers: { ...own(), 'sec-fetch-site': site } })).status).toBe(403)
    expect((await ask(world.port, path, { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(403)
  })
})

it('The chargers are not there before the first refresh, and then the newest are, cached by nobody', async () => {
  const get = () => ask(world.port, withSecret(chargersPath(3), visitor.addressSecret), { headers: visitor.headers })
  expect((await get()).status).toBe(404)
  for (const text of ['[3]', '[4]']) {
    world.host.chargers = Buffer.from(text)
    const { body, headers } = await get()
    expect([body, headers['content-type'], headers['cache-control']]).toEqual([
      text,
      'application/json; charset=utf-8',
      'no-store',
    ])
  }
})

describe('A download', () => {
  const get = (path: string) => ask(world.port, withSecret(path, visitor.addressSecret), { headers: visitor.headers })

  it('is always a file to save, under its own name', async () => {
    const path = join(world.dir, 'page "Ä".html')
    await writeFile(path, '<script>alert(1)</script>')
    world.host.outputs.set('JOB1/0', { path, rootDir: world.dir, name: 'page "Ä".html' })
    world.host.outputs.set('JOB1/null', { path: '/dev/zero', rootDir: '/dev', name: 'zero' })
    world.host.outputs.set('JOB1/1', { path: join(world.dir, 'gone'), rootDir: world.dir, name: 'gone' })
    await writeFile(join(world.dir, 'empty'), '')
    world.host.outputs.set('JOB1/2', { path: join(world.dir, 'empty'), rootDir: world.dir, name: 'empty' })
    const answer = await get('/download/JOB1/0')
    expect([answer.status, answer.body]).toEqual([200, '<script>alert(1)</script>'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="page \\"?\\".html"; filename*=UTF-8''page%20%22%C3%84%22.html`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    for (const index of ['original', '1', '-1', '99999999', 'x'])
      expect((await get(`/download/JOB1/${index}`)).status, index).toBe(404)
    const empty = await get('/download/JOB1/2')
    expect([empty.status, empty.body]).toEqual([200, ''])
  })

  it('is not of a file that a folder leads to which became a link', async () => {
    const [root, elsewhere] = [join(world.dir, 'watched'), join(world.dir, 'private')]
    for (const dir of [root, elsewhere]) await mkdir(dir)
    await writeFile(join(elsewhere, 'photo.jpg'), 'secret')
    await symlink(elsewhere, join(root, 'sub'))
    const path = join(root, 'sub', 'photo.jpg')
    world.host.outputs.set('JOB3/null', { path, rootDir: root, name: 'photo.jpg' })
    const answer = await get('/download/JOB3/original')
    expect([answer.status, answer.body.includes('secret')]).toEqual([404, false])
    // A link within the folder, or on the way to it, is the person's own.
    world.host.outputs.set('JOB3/null', { path, rootDir: join(root, 'sub'), name: 'photo.jpg' })
    expect((await get('/download/JOB3/original')).status).toBe(200)
  })
})
