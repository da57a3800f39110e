/**
 * A morning with the desktop app, as an ordinary user with the sandbox, in a real Electron and a desktop of its own: a key, a watched folder, the window
 * closed, photographs copied in, the notifications, an export, a print, quit and start again. The memory of each process once a minute. Fails
 * when a picture that is whole is not done, one is paid for twice, an original changed, or a line of GLib is printed. Linux, as root; needs what
 * `npm run test:electron` needs, with `--installed` also apt and what a runtime for tests allows alone: to look into an installed program.
 * Run: node bench/desktop/morning.ts PHOTOGRAPHS [--pictures N] [--installed] [--screenshots FOLDER]
 */
import { createHash } from 'node:crypto'
import { chown, copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPractice } from '../../src/practice/server.ts'
import { DesktopWorld, REAL_ELECTRON, type DesktopApp } from '../../test/desktop/desktop-app.ts'
import { findRuntime } from '../../test/desktop/runtime/runtime-place.ts'
import { installedApp } from '../../test/packaging/installed-app.ts'
import { NO_SPARE_MACHINE } from '../../test/packaging/spare-machine.ts'
import { need, programs } from '../../test/needs.ts'
import { until } from '../../test/until.ts'
import { MemoryTable } from './memory-table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pictures: { type: 'string', default: '200' },
    /** The Debian package, installed with apt on a spare machine and started from the menu, in place of the checkout. */
    installed: { type: 'boolean', default: false },
    screenshots: { type: 'string' },
  },
})
const COUNT = Number(values.pictures)
const KEY = 'the-key-of-this-morning-0123456789'
const PERSON = { uid: 65_534, gid: 65_534 }
const MINUTE_MS = 60_000
const [MIN_BYTES, MAX_BYTES] = [20_000, 4_000_000]
/** Nothing is sent of such a file, and nothing paid. */
const REFUSALS = new Set(['cut_off', 'damaged', 'not_an_image', 'unsupported', 'too_many_pixels'])
const TYPES = new Set(['.jpg', '.jpeg', '.png', '.webp', '.gif'])

const startedMs = performance.now()
const say = (what: string) =>
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${what}`)

/** Different pictures below `folder`, by their paths, spread evenly over all. */
async function photographs(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && TYPES.has(extname(entry.name).toLowerCase()))
  const found: string[] = []
  const seen = new Set<string>()
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
    const { size } = await stat(path)
    if (size < MIN_BYTES || size > MAX_BYTES) continue
    const hash = await hashOf(path)
    if (!seen.has(hash)) found.push(path)
    seen.add(hash)
  }
  const step = Math.max(1, found.length / COUNT)
  return Array.from({ length: Math.min(COUNT, found.length) }, (_, n) => found[Math.floor(n * step)]!)
}

const hashOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

const isVisible = (app: DesktopApp) => app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())

const ended = ({ done, failed, held, skipped, unknown, cancelled }: Awaited<ReturnType<DesktopApp['counts']>>) =>
  done + failed + held + skipped + unknown + cancelled

async function morning(folderOfPhotographs: string): Promise<void> {
  const photos = await photographs(folderOfPhotographs)
  if (photos.length === 0) throw new Error(`There are no photographs of 20 kB to 4 MB in ${folderOfPhotographs}.`)
  const installed = values.installed ? await installedApp(PERSON) : null
  let paid = 0
  const practice = await startPractice(
    { apiKey: KEY, requestsPerMinute: 600, credits: 100 * COUNT, seed: 1 },
    { onLedgerLine: ({ type }) => (paid += Number(type === 'charge')) },
  )
  if (installed !== null) {
    say('the package is installed')
    // Its programs see no other place for what is temporary.
    process.env['TMPDIR'] = installed.shared
  }
  const world = await DesktopWorld.open({ user: PERSON }, installed?.starter)
  const shoot = async (name: string) => {
    if (values.screenshots === undefined) return
    const shot = join(world.dir, `${name}.png`)
    await world.desktop.screenshot(shot)
    await copyFile(shot, join(values.screenshots, `${name}.png`))
  }
  const start = () => world.start({ env: { HANGAR_SERVICE_URL: practice.imageBaseUrl } })
  const table = new MemoryTable('done')
  const problems: string[] = []
  try {
    const folder = join(world.dir, 'Photographs')
    await mkdir(folder)
    await chown(folder, PERSON.uid, PERSON.gid)
    let app = await start().ready()
    say('the window is ready')
    await shoot('start')
    await app.call('keys.set', { name: 'image', key: KEY })
    await app.call('settings.set', { requestsPerMinute: 600 })
    await watch(app, folder)
    say('a key is in the keyring, a folder watched')
    await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
    await until('the window is closed', async () => !(await isVisible(app)))

    const originals = new Map<string, string>()
    for (const [n, photo] of photos.entries()) {
      const path = join(folder, `${String(n).padStart(3, '0')}${extname(photo).toLowerCase()}`)
      await copyFile(photo, path)
      await chown(path, PERSON.uid, PERSON.gid)
      originals.set(path, await hashOf(path))
    }
    say(`${photos.length} photographs are in it`)
    const told = async () => world.desktop.ask('notifications')
    const clickLast = async () => {
      await world.desktop.ask('click notification', { number: (await told()).length })
      await until('the window is back', () => isVisible(app))
    }
    let nextMs = performance.now()
    let isApproved = photos.length <= 100
    for (let counts = await app.counts(); !isApproved || ended(counts) < photos.length; counts = await app.counts()) {
      if (performance.now() >= nextMs) {
        table.add((performance.now() - startedMs) / MINUTE_MS, String(counts.done), app.processes())
        nextMs += MINUTE_MS
      }
      if (
        !isApproved &&
        (await app.state()).confirmations.some(({ confirmable }) => confirmable) &&
        (await told()).length > 1
      ) {
        say(`a notification: ${(await told()).at(-1)!.title}`)
        await clickLast()
        await shoot('approve')
        await approveAll(app)
        isApproved = true
        await app.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close())
      }
      await delay(500)
    }
    const counts = await app.counts()
    table.add((performance.now() - startedMs) / MINUTE_MS, String(counts.done), app.processes())
    say(
      `all have ended: ${JSON.stringify(Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)))}`,
    )
    await delay(2000)
    say(`notifications: ${(await told()).map(({ title }) => title).join(' · ')}`)
    await clickLast()

    const { sections } = await app.call<{ sections: { ids: string[] }[] }>('jobs.index', {})
    const ids = sections.flatMap((section) => section.ids)
    await app.page(`void (location.hash = '#/jobs/${ids[0]!}')`)
    await shoot('one')
    const { text } = await app.call<{ text: string }>('jobs.export', { ids, format: 'csv' })
    say(`exported: ${text.trim().split('\r\n').length - 1} lines`)
    const pages = await app.main(async ({ BrowserWindow }) => {
      const pdf = await BrowserWindow.getAllWindows()[0]!.webContents.printToPDF({})
      return pdf.length
    })
    say(`printed: ${pages} bytes of PDF`)
    const rows = await app.call<{ rows: { name: string; state: string; reason: { code: string } | null }[] }>(
      'jobs.rows',
      { ids },
    )
    for (const { name, state, reason } of rows.rows)
      if (REFUSALS.has(reason?.code ?? '')) say(`refused: ${name} (${reason!.code})`)
      else if (state !== 'done') problems.push(`${name}: ${state} ${reason?.code ?? ''}`)

    const before = app.stderr
    const { code, signal } = await app.quit()
    say(`quit: ${code ?? signal}`)
    if (code !== 0) problems.push(`quit: ${code ?? signal}`)
    app = await start().ready()
    const again = await app.counts()
    if (JSON.stringify(again) !== JSON.stringify(counts))
      problems.push(`after the next start: ${JSON.stringify(again)}`)
    say('the next start shows the same')
    await shoot('again')
    await app.quit()

    for (const [path, hash] of originals) if ((await hashOf(path)) !== hash) problems.push(`${path}: another file`)
    say(`paid for ${paid} of ${photos.length}`)
    if (paid > photos.length) problems.push(`paid ${paid} times for ${photos.length}`)
    for (const line of (before + app.stderr).split('\n')) if (/GLib|g_object|assertion/.test(line)) problems.push(line)
    const errors = (await app.log()).split('\n').filter((line) => line.includes('"level":"error"'))
    problems.push(...errors)
  } finally {
    await world.close()
    await installed?.close()
    await practice.close()
  }
  const from = values.installed ? 'installed with apt' : 'from a checkout'
  console.log(`\nElectron ${findRuntime()!.version}, ${from}, an ordinary user; MiB (PSS).\n\n${table.text()}\n`)
  console.log(problems.length === 0 ? 'Nothing was wrong.' : `${problems.length} wrong:\n${problems.join('\n')}`)
  if (problems.length > 0) process.exitCode = 1
}

async function watch(app: DesktopApp, folder: string): Promise<void> {
  const { recipe } = (await app.state()).settings
  await app.call('folders.add', { path: await app.pick(folder), recipe, include: [], exclude: [] })
}

/** As the dialog of the banner does it. */
async function approveAll(app: DesktopApp): Promise<void> {
  for (const { batchId } of (await app.state()).confirmations) await app.call('batches.confirm', { id: batchId })
  say('approved')
}

const [given] = positionals
const canLookInside = need('a runtime for tests', findRuntime()?.isOwn !== true)
const lacking = [
  REAL_ELECTRON,
  ...(values.installed ? [NO_SPARE_MACHINE, programs('apt-get'), canLookInside] : []),
].filter((each) => each !== null)
if (given === undefined) {
  console.error('Name a folder of photographs.')
  process.exitCode = 2
} else if (lacking.length === 0) await morning(given)
else console.log(`Not measured: it needs ${lacking.join(', ')}.`)
