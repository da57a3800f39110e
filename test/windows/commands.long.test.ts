import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { describeWith, itWith, need } from '../needs.ts'
import { drawPicture, jsonLines, startPractice, type Practice } from '../cli/harness.ts'
import { linkIn, signIn } from '../web/harness.ts'
import {
  fromWindows,
  hangar,
  isWine,
  makeFolder,
  setUpWindows,
  startHangar,
  startNode,
  toWindows,
  whatIsLacking,
} from './windows.ts'

let practice: Practice

beforeAll(async () => {
  if (whatIsLacking !== null) return
  await setUpWindows()
  practice = await startPractice()
})
afterAll(() => practice?.stop())

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const done = (stdout: string) => jsonLines(stdout).filter(({ state }) => state === 'done')

/** A folder with pictures and a data folder, and how a command is told of them. */
async function makeWorld(names: string[]): Promise<{ folder: string; at: string[] }> {
  const folder = makeFolder('pictures')
  for (const name of names) await drawPicture(join(folder, name))
  const dataDir = makeFolder('data')
  return { folder, at: ['--json', '--data-dir', toWindows(dataDir)] }
}

/** Wine says itself where it is, whatever the environment says; on Windows a folder of the test takes its place. */
async function appDataFolder(): Promise<string> {
  if (!isWine) return makeFolder('appdata')
  const { stdout } = await startNode(['-p', "require('node:path').join(process.env.APPDATA, 'Hangar')"]).ended
  const folder = fromWindows(stdout.trim())
  rmSync(folder, { recursive: true, force: true })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return dirname(folder)
}

describeWith(whatIsLacking)('hangar as win32', () => {
  it('runs a folder once, names results in the Windows way, and sends nothing again', async () => {
    const { folder, at } = await makeWorld(['Gänseblümchen.jpg', 'chart.png'])
    const run = await hangar(['run', toWindows(folder), ...at], { env: practice.env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(done(run.stdout).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['Gänseblümchen.jpg', 'chart.png'].map((name) => toWindows(join(folder, name)))),
    )
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['Gänseblümchen-optimized.jpg', 'Gänseblümchen.webp', 'chart.png.alt.json']),
    )
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
    const charged = await practice.charges()
    const again = await hangar(['run', toWindows(folder), ...at], { env: practice.env })
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({ event: 'summary', done: 0, failed: 0 })
    expect(await practice.charges()).toBe(charged)
  })

  it('replaces originals, keeps them, and brings them back as they were', async () => {
    const { folder, at } = await makeWorld(['kept.jpg'])
    const original = join(folder, 'kept.jpg')
    const [before, { mtimeMs }] = [hashOf(original), statSync(original)]
    const args = ['run', toWindows(folder), '--output', 'replace', '--operation', 'optimize', ...at]
    const run = await hangar(args, { env: practice.env })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(hashOf(original)).not.toBe(before)
    const restored = await hangar(['restore', toWindows(folder), '--json'])
    expect(restored.code).toBe(0)
    expect(jsonLines(restored.stdout)).toMatchObject([{ path: toWindows(original), restored: true }])
    expect([hashOf(original), statSync(original).mtimeMs]).toEqual([before, mtimeMs])
  })

  itWith(need('Wine', isWine))('watches a folder, finds what is moved in, and stops in order at Ctrl+C', async () => {
    const { folder, at } = await makeWorld(['there.jpg'])
    const arriving = await makeWorld(['first.jpg', 'second.png'])
    const watch = startHangar(['watch', toWindows(folder), ...at], { env: practice.env })
    await watch.said(/there\.jpg","state":"done"/)
    copyFileSync(join(arriving.folder, 'first.jpg'), join(folder, 'arrived.jpg'))
    mkdirSync(join(folder, 'more'))
    renameSync(join(arriving.folder, 'second.png'), join(folder, 'more', 'moved.png'))
    await watch.said(/arrived\.jpg","state":"done"/)
    await watch.said(/moved\.png","state":"done"/)
    const status = await hangar(['status', ...at])
    expect(jsonLines(status.stdout)[0]).toMatchObject({ running: true, folders: [{ path: toWindows(folder) }] })
    const below = jsonLines((await hangar(['jobs', toWindows(join(folder, 'more')), ...at])).stdout)
    expect(below).toMatchObject([{ path: toWindows(join(folder, 'more', 'moved.png')) }])
    const paused = await hangar(['pause', ...at])
    expect([paused.code, jsonLines(paused.stdout)]).toEqual([0, [{ event: 'command', paused: true }]])
    watch.pressCtrlC()
    expect(await watch.ended).toMatchObject({ code: 0 })
    expect(jsonLines((await watch.ended).stdout).at(-1)).toMatchObject({ event: 'summary', done: 3, unknown: 0 })
  })

  it('keeps a key in the credential store, one for each address, and forgets it', async () => {
    const { at } = await makeWorld([])
    const key = (...args: string[]) =>
      hangar(['key', ...args, '--service-url', practice.imageBaseUrl, ...at], { input: `${practice.apiKey}\r\n` })
    const status = async () => jsonLines((await key('status', 'image')).stdout)[0]
    expect(await key('set', 'image')).toMatchObject({ code: 0 })
    expect(await status()).toMatchObject({ present: true, place: 'keychain' })
    const { folder } = await makeWorld(['with-stored-key.jpg'])
    const run = await hangar(['run', toWindows(folder), ...at])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(await practice.charges('with-stored-key')).toBe(1)
    expect(await key('delete', 'image')).toMatchObject({ code: 0 })
    expect(await status()).toMatchObject({ present: false })
  })

  it('keeps its data under %APPDATA% unless it is told otherwise', async () => {
    const appData = await appDataFolder()
    const env = { APPDATA: toWindows(appData), ...practice.env }
    const { folder } = await makeWorld(['default.jpg'])
    expect(await hangar(['run', toWindows(folder)], { env })).toMatchObject({ code: 0 })
    expect(existsSync(join(appData, 'Hangar', 'journal.db'))).toBe(true)
  })

  it('serves its page, to which a link signs in', async () => {
    const { at } = await makeWorld([])
    const serve = startHangar(['serve', '--practice', '--port', '0', ...at])
    await serve.said(/"event":"serving".*\n/)
    const { url, port } = jsonLines(serve.text().stdout)[0] as { url: string; port: number }
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<div id="root">')
    await signIn(port, linkIn(url))
    if (!isWine) return
    serve.pressCtrlC()
    expect(await serve.ended).toMatchObject({ code: 0 })
  })
})
