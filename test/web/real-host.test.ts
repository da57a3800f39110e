import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JobDetail } from '../../src/shared/contract/jobs.ts'
import { chargersPath, downloadPath, inView, picturePath } from '../../src/shared/contract/page-bridge.ts'
import type { Place, UiRecipe } from '../../src/shared/contract/places.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { builtChildren } from '../built-children.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { startApp, type App } from '../../src/main/page/start-app.ts'
import { startWeb, WEB_SHELL, type WebShell } from '../../src/main/web/start-web.ts'
import { makePicture } from '../engine/engine-harness.ts'
import { ask, linkIn, PageSocket, signIn, type Visitor } from './harness.ts'
import { until } from '../until.ts'

const SAMPLES = resolve(import.meta.dirname, '../../resources/samples')

let dir: string
let app: App
let web: WebShell & { port: number }
let visitor: Visitor
let socket: PageSocket
let nextId = 1

beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'hangar-real-host-')))
  await mkdir(join(dir, 'page'))
  await writeFile(join(dir, 'page', 'index.html'), '<!doctype html><title>Hangar</title>')
  await mkdir(join(dir, 'inbox'))
  app = await startApp({
    dataDir: join(dir, 'data'),
    child: builtChildren,
    shell: WEB_SHELL,
    env: {},
    locale: 'en',
    samplesDir: SAMPLES,
    practiceOptions: { jobTime: { kind: 'fixed', ms: 30 } },
  })
  const shell = await startWeb({
    host: app.host,
    dataDir: join(dir, 'data'),
    clock: realClock,
    log: app.log,
    port: 0,
    pageDir: join(dir, 'page'),
    inboxDir: () => Promise.resolve(app.engine.snapshot().settings.inboxDir),
    works: () => app.engine.works(),
  })
  web = { ...shell, port: shell.port ?? 0 }
  visitor = await signIn(web.port, linkIn(web.newLink()))
  socket = await PageSocket.open(web.port, visitor)
})

afterAll(async () => {
  await web?.close()
  await app?.stop(5000)
  await rm(dir, { recursive: true, force: true })
})

async function result(channel: string, request: unknown): Promise<{ ok: boolean; value: unknown; error?: unknown }> {
  const id = nextId++
  socket.send({ id, channel, request })
  const reply = await socket.reply((one) => one['id'] === id)
  return reply['result'] as { ok: boolean; value: unknown }
}

async function value<Value>(channel: string, request: unknown): Promise<Value> {
  const answer = await result(channel, request)
  if (!answer.ok) throw new Error(`${channel}: ${JSON.stringify(answer.error)}`)
  return answer.value as Value
}

function upload(path: string, bytes: Buffer): Promise<Awaited<ReturnType<typeof ask>>> {
  return ask(web.port, `/upload?path=${encodeURIComponent(path)}`, {
    method: 'POST',
    headers: { ...visitor.headers, 'content-type': 'application/octet-stream' },
    body: bytes,
  })
}

const get = (path: string) => ask(web.port, inView(path, visitor.view), { headers: visitor.headers })

type View = { here: Place; parent: string | null; folders: Place[] }

/** Finds a folder the way a person does: from where the browser of folders begins, up and then down. */
async function placeOf(path: string): Promise<Place> {
  let view = await value<View>('places.browse', { folder: null })
  const isAbove = (folder: string) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
  while (!isAbove(view.here.path)) view = await value<View>('places.browse', { folder: view.parent })
  while (view.here.path !== path) {
    const next = view.folders.find((folder) => isAbove(folder.path))
    if (next === undefined) throw new Error(`${path} cannot be reached from ${view.here.path}`)
    view = await value<View>('places.browse', { folder: next.token })
  }
  return view.here
}

describe('The page, the server and the engine together', () => {
  it('take a picture from an upload to a download', async () => {
    expect((await upload('Trip/a.jpg', await makePicture(1, 'jpeg'))).status).toBe(409)
    const inbox = await placeOf(join(dir, 'inbox'))
    await value('settings.set', { inboxDir: inbox.token })
    const bytes = await makePicture(1, 'jpeg')
    const uploaded = await upload('Trip/a.jpg', bytes)
    expect(uploaded.status, uploaded.body).toBe(200)
    const { value: place } = uploaded.json() as { value: Place }
    expect(place.path).toBe(join(dir, 'inbox', 'Trip', 'a.jpg'))
    const recipe: UiRecipe = { ...DEFAULT_RECIPE, output: { kind: 'beside' } }
    await value('intake.add', { paths: [place.token], recipe, confirmed: true })
    let id = ''
    await until('the picture is done', async () => {
      const { sections } = await value<{ sections: { ids: string[] }[] }>('jobs.index', {
        filter: { states: ['done'] },
      })
      id = sections[0]?.ids[0] ?? ''
      return id !== ''
    })
    const detail = await value<JobDetail>('jobs.detail', { id })
    const optimized = detail.outputs.find(({ role }) => role === 'optimized')
    const download = await get(downloadPath(id, optimized?.index ?? -1))
    expect(download.status).toBe(200)
    expect(download.headers['content-disposition']).toContain('filename=a-optimized.jpg')
    expect(Number(download.headers['content-length'])).toBe(optimized?.sizeBytes)
    const original = await get(downloadPath(id, null))
    expect(Number(original.headers['content-length'])).toBe(bytes.length)
    for (const address of [picturePath(id, 'thumb', 1), picturePath(place.token, 'file', 1)]) {
      const picture = await get(address)
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/webp'])
    }
    expect((await get(picturePath('A'.repeat(24), 'file', 1))).status).toBe(404)
    expect(await readFile(place.path)).toEqual(bytes)
  })
})

it('The chargers come whole in the version that the page was told of, and are refreshed when a person asks', async () => {
  const status = () => app.engine.snapshot().chargers.status
  await until('there are chargers', () => status().version > 0)
  await value('chargers.refresh', {})
  await until('the refresh ends', () => !status().refreshing)
  const { version, count, sample } = status()
  const answer = await ask(web.port, inView(chargersPath(version), visitor.view), {
    headers: { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' },
  })
  expect(answer.status).toBe(200)
  expect(answer.json()).toMatchObject({ length: count })
  expect({ sample, isSome: count > 0 }).toEqual({ sample: true, isSome: true })
})
