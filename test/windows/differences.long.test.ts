import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, itWith, need } from '../needs.ts'
import { drawPicture, jsonLines, startPractice, type Practice } from '../cli/harness.ts'
import { until } from '../until.ts'
import {
  hangar,
  isWine,
  makeFolder,
  setUpWindows,
  startHangar,
  startNode,
  toWindows,
  whatIsLacking,
  wineDevice,
  type Running,
} from './windows.ts'

let practice: Practice

beforeAll(async () => {
  if (whatIsLacking !== null) return
  await setUpWindows()
  practice = await startPractice()
})
afterAll(() => practice?.stop())

/** A run of its own data folder, told in JSON. */
async function run(paths: string[], more: string[] = [], env: Record<string, string> = {}) {
  const dataDir = toWindows(makeFolder('data'))
  const ended = await hangar(['run', ...paths, '--json', '--data-dir', dataDir, ...more], {
    env: { ...practice.env, ...env },
  })
  return { ...ended, summary: jsonLines(ended.stdout).at(-1), dataDir }
}

async function pictures(names: string[], folder = makeFolder('pictures')): Promise<string> {
  for (const name of names) await drawPicture(join(folder, name))
  return folder
}

/** Another program that has the file open, and lets nobody else open it where `alone` says so. */
async function hold(path: string, alone: boolean): Promise<Running> {
  const open = `require('node:fs').openSync(process.argv[1], ${alone ? 0x1000_0000 : "'r'"})`
  const holder = startNode(['-e', `${open}; console.log('held'); setInterval(() => {}, 1000)`, toWindows(path)])
  await holder.said(/held/)
  return holder
}

/** Wine 8 cannot. */
const WINDOWS_ITSELF = need('Windows itself', !isWine)

describeWith(whatIsLacking)('what differs on Windows', () => {
  itWith(need('Wine', isWine))('takes a whole drive by its letter, and a share by its name', async () => {
    const drive = await pictures(['on-drive.jpg'])
    wineDevice('h:', drive)
    expect(await run(['H:\\'])).toMatchObject({ code: 0, stderr: '', summary: { done: 1 } })
    expect(readdirSync(drive)).toContain('on-drive-optimized.jpg')

    const share = await pictures(['on-share.jpg'])
    wineDevice('unc/nas/pictures', share)
    expect(await run(['\\\\nas\\pictures'])).toMatchObject({ code: 0, stderr: '', summary: { done: 1 } })
    expect(readdirSync(share)).toContain('on-share.webp')
  })

  it('takes names that differ in case only for one name, and paths too', async () => {
    const folder = await pictures(['photo.jpg'])
    writeFileSync(join(folder, 'PHOTO-Optimized.JPG'), 'not Hangar’s')
    const data = toWindows(makeFolder('data'))
    const args = ['run', '--json', '--data-dir', data, '--operation', 'optimize']
    const first = await hangar([...args, toWindows(folder)], { env: practice.env })
    // The other one is no picture.
    expect(jsonLines(first.stdout).at(-1)).toMatchObject({ done: 1, failed: 1 })
    expect(readFileSync(join(folder, 'PHOTO-Optimized.JPG'), 'utf8')).toBe('not Hangar’s')
    expect(readdirSync(folder)).toContain('photo-optimized-2.jpg')
    const again = await hangar([...args, toWindows(folder).toUpperCase()], { env: practice.env })
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({ done: 0 })
    expect(await practice.charges('photo')).toBe(1)
  })

  it('chooses no name that Windows reserves, and none that it would change', async () => {
    for (const [nth, seoFilename] of ['CON', 'nul.txt: . '].entries()) {
      await practice.control({ type: 'set-texts', texts: { seoFilename, seoAltText: 'x' } })
      const folder = await pictures([`suggested-${nth}.jpg`])
      expect(await run([toWindows(folder)], ['--name', 'seo'])).toMatchObject({ code: 0, summary: { done: 1 } })
      for (const name of readdirSync(folder)) {
        expect(name).not.toMatch(/^(?:con|nul|com\d|lpt[\d¹²³])\s*(?:\.|$)/i)
        expect(name).not.toMatch(/[<>:"/\\|?*]|[. ]$|[. ]\.\w+$/)
      }
    }
    await practice.control({ type: 'set-texts', texts: null })
  })

  it('waits for a picture that another program has open, and takes it when that lets go', async () => {
    const folder = await pictures(['held.jpg', 'free.jpg'])
    const holder = await hold(join(folder, 'held.jpg'), true)
    const watch = startHangar(['watch', toWindows(folder), '--json', '--data-dir', toWindows(makeFolder('data'))], {
      env: practice.env,
    })
    await watch.said(/free\.jpg","state":"done"/)
    expect(watch.text().stdout).not.toMatch(/held\.jpg","state":"(?:done|failed)"/)
    await holder.kill()
    await watch.said(/held\.jpg","state":"done"/)
  })

  it('replaces an original only once no other program has it open, and says which file that is', async () => {
    const folder = await pictures(['viewed.jpg'])
    const original = join(folder, 'viewed.jpg')
    const before = readFileSync(original)
    const holder = await hold(original, false)
    const replace = ['--output', 'replace', '--operation', 'optimize']
    const refused = await run([toWindows(folder)], replace)
    expect(refused).toMatchObject({ code: 1, summary: { held: 1 } })
    expect(refused.stderr).toContain(`Another program has ${toWindows(original)} open, or it is protected.`)
    expect(readFileSync(original)).toEqual(before)
    await holder.kill()
    const args = ['run', toWindows(folder), ...replace, '--json', '--data-dir', refused.dataDir]
    expect(await hangar(args, { env: practice.env })).toMatchObject({ code: 0 })
    expect(readFileSync(original)).not.toEqual(before)
    expect(await practice.charges('viewed')).toBe(1)
  })

  it('replaces and restores a read-only original, which stays read-only', async () => {
    const folder = await pictures(['locked.jpg'])
    const original = join(folder, 'locked.jpg')
    chmodSync(original, 0o444)
    const before = readFileSync(original)
    expect(await run([toWindows(folder)], ['--output', 'replace', '--operation', 'optimize'])).toMatchObject({
      code: 0,
    })
    expect(readFileSync(original)).not.toEqual(before)
    expect(statSync(original).mode & 0o222).toBe(0)
    expect(await hangar(['restore', toWindows(folder)])).toMatchObject({ code: 0 })
    expect(readFileSync(original)).toEqual(before)
    expect(statSync(original).mode & 0o222).toBe(0)
  })

  it('reads key files with the line ends of Windows, and patterns with slashes', async () => {
    const folder = await pictures(['kept-out.jpg', 'taken.jpg'])
    mkdirSync(join(folder, 'drafts'))
    await pictures(['old.jpg', 'new.png'], join(folder, 'drafts'))
    const keyFile = join(makeFolder('key'), 'key.txt')
    writeFileSync(keyFile, `\uFEFF${practice.apiKey}\r\n`)
    const { HANGAR_API_KEY: _key, ...address } = practice.env
    const patterns = ['--exclude', 'kept-out.jpg', '--exclude', 'drafts/*.jpg']
    const args = ['run', toWindows(folder), ...patterns, '--json', '--data-dir', toWindows(makeFolder('data'))]
    const ended = await hangar(args, {
      env: { ...address, HANGAR_API_KEY_FILE: toWindows(keyFile) },
    })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const done = jsonLines(ended.stdout).filter(({ state }) => state === 'done')
    expect(done.map(({ path }) => path).sort()).toEqual(
      [join(folder, 'drafts', 'new.png'), join(folder, 'taken.jpg')].map(toWindows),
    )
  })

  itWith(WINDOWS_ITSELF)('follows no junction', async () => {
    const folder = await pictures(['here.jpg'])
    const elsewhere = await pictures(['elsewhere.jpg'])
    symlinkSync(elsewhere, join(folder, 'linked'), 'junction')
    expect(await run([toWindows(folder)])).toMatchObject({ code: 0, summary: { done: 1 } })
    expect(readdirSync(elsewhere)).toEqual(['elsewhere.jpg'])
  })

  itWith(WINDOWS_ITSELF)('works in folders whose paths are longer than 260 characters', async () => {
    const root = makeFolder('long')
    const deep = join(root, ...Array.from({ length: 4 }, () => 'x'.repeat(90)))
    mkdirSync(deep, { recursive: true })
    await pictures(['deep.jpg'], deep)
    expect(await run([toWindows(root)])).toMatchObject({ code: 0, summary: { done: 1 } })
    expect(readdirSync(deep)).toContain('deep-optimized.jpg')
  })

  it('stops in order when its console is closed', async () => {
    const folder = await pictures(['one.jpg'])
    const close = join(makeFolder('close'), 'now')
    // What libuv makes of CTRL_CLOSE_EVENT; Wine has no console to close here.
    const preload = join(makeFolder('preload'), 'close.cjs')
    writeFileSync(
      preload,
      `const timer = setInterval(() => {
        if (!require('node:fs').existsSync(${JSON.stringify(toWindows(close))})) return
        clearInterval(timer)
        process.emit('SIGHUP')
      }, 100).unref()`,
    )
    const watch = startHangar(['watch', toWindows(folder), '--json', '--data-dir', toWindows(makeFolder('data'))], {
      env: practice.env,
      preload,
    })
    await watch.said(/one\.jpg","state":"done"/)
    writeFileSync(close, '')
    await until('it has ended', () => watch.child.exitCode !== null)
    expect(await watch.ended).toMatchObject({ code: 0 })
  })
})
