import { spawn } from 'node:child_process'
import process from 'node:process'
import type { App } from 'electron'
import { z } from 'zod'
import { PLACES } from '../../shared/presentation/shortcuts.ts'
import {
  startCommand,
  argumentsWithList,
  ownArguments,
  startOptions,
  wantsWindow,
  type StartOptions,
  type Wish,
} from './start-options.ts'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What a second start sends to the first. Any program of this person could send it, so it is validated like any input.
 */
const Handover: z.ZodType<Wish> = z.object({
  paths: z.array(z.string().min(1).max(32_767)).max(10_000),
  list: z.uuid().nullable().default(null),
  hidden: z.boolean(),
  place: z.enum(PLACES).nullable(),
  paused: z.boolean().nullable(),
})

const MAX_REQUEST_CHARS = 64 * 1024 ** 2
/**
 * Half of what Chromium's reader takes on POSIX systems. There a start with more, such as 200 files of a file manager, ends the
 * Hangar that runs: seen in Electron 33.2.1, and mended in Electron in August 2026. Chromium sends all arguments with the request.
 */
const MAX_MESSAGE_BYTES = 16 * 1024

/**
 * Takes the single-instance lock of this data folder. False: another instance has it and was sent this one's request, or a start
 * that gives its many files as a list takes this one's place. Throws when that cannot be started.
 */
export function takeInstance(app: App, options: StartOptions): boolean {
  const { hidden, paths, list, place, paused } = options
  const wish: Wish = { hidden, paths, list, place, paused }
  const request = encodeURIComponent(JSON.stringify(wish))
  const isShort = request.length + Buffer.byteLength(process.argv.join()) <= MAX_MESSAGE_BYTES
  if (isShort || paths.length === 0 || process.platform === 'win32') return app.requestSingleInstanceLock({ request })
  startWithList(app, options)
  return false
}

function startWithList(app: App, options: StartOptions): void {
  const list = writePathList(options.dataDir, options.paths)
  const [program = '', ...before] = startCommand(app, process.env)
  const args = [...before, ...argumentsWithList(ownArguments(process.argv, app.isPackaged), options, list)]
  const started = spawn(program, args, { detached: true, stdio: 'inherit' })
  started.on('error', () => undefined)
  if (started.pid === undefined) throw new Error('the start with a list of its files did not begin')
  started.unref()
}

/** Electron passes on ASCII alone, so the request is escaped; null for anything that is not one. */
function readHandover(data: unknown): Wish | null {
  const sent = z.object({ request: z.string().max(MAX_REQUEST_CHARS) }).safeParse(data)
  if (!sent.success) return null
  try {
    return Handover.parse(JSON.parse(decodeURIComponent(sent.data.request)))
  } catch {
    return null
  }
}

/** What can be asked of the app that runs. */
interface Takers {
  /** What it is given is not empty. */
  take: (files: { paths: string[]; lists: string[] }) => void
  /** Brings the window to the front, at this place of the page if one is named. */
  show: (wish: Pick<Wish, 'place'>) => void
  setPaused: (paused: boolean) => void
}

export interface HandedOver {
  /** Starts handing over requests, earlier ones first. */
  start(takers: Takers): void
}

/**
 * Collects what the system and later starts hand over, from the very beginning: macOS names the double-clicked file
 * before the app is ready.
 */
export function collectHandedOver(app: App, { paths, list }: Pick<Wish, 'paths' | 'list'>): HandedOver {
  const early: Wish[] = [{ paths, list, hidden: true, place: null, paused: null }]
  let started: Takers | null = null
  const hand = (wish: Wish): void => {
    if (started === null) early.push(wish)
    else carryOut([wish], started)
  }
  app.on('open-file', (event, path) => {
    event.preventDefault()
    hand({ paths: [path], list: null, hidden: false, place: null, paused: null })
  })
  // Without its data, its command line still says what it wants, though Chromium may have changed its order.
  app.on('second-instance', (_event, argv, cwd, data) =>
    hand(readHandover(data) ?? startOptions(ownArguments(argv, app.isPackaged), cwd, process.env)),
  )
  return {
    start(takers) {
      started = takers
      carryOut(early, takers)
    },
  }
}

/** All files go together, as one preview. */
function carryOut(wishes: readonly Wish[], { take, show, setPaused }: Takers): void {
  const paths = wishes.flatMap((wish) => wish.paths)
  const lists = wishes.flatMap(({ list }) => list ?? [])
  if (paths.length + lists.length > 0) take({ paths, lists })
  for (const wish of wishes) {
    if (wish.paused !== null) setPaused(wish.paused)
    if (wantsWindow(wish)) show(wish)
  }
}

const Paths = z.array(z.string())

/** A start takes its list within minutes; one that is older than this was left by a start that crashed. */
const MAX_AGE_MS = 24 * 3_600_000

const folderIn = (dataDir: string): string => join(dataDir, 'handed-over')
const fileOf = (dataDir: string, id: string): string => join(folderIn(dataDir), `${id}.json`)

/** Keeps the paths of a start for the Hangar that takes them; returns the id of the list. Throws the disk's error. */
export function writePathList(dataDir: string, paths: readonly string[]): string {
  const id = randomUUID()
  mkdirSync(folderIn(dataDir), { recursive: true, mode: 0o700 })
  removeLeftLists(folderIn(dataDir))
  writeFileSync(fileOf(dataDir, id), JSON.stringify(paths), { flag: 'wx', mode: 0o600 })
  return id
}

function removeLeftLists(folder: string): void {
  const oldestMs = Date.now() - MAX_AGE_MS
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    // Another start may have removed it.
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? oldestMs) < oldestMs) rmSync(file, { force: true })
  }
}

/** The paths of a list, which is then gone. Rejects when there is none. */
export async function takePathList(dataDir: string, id: string): Promise<string[]> {
  const file = fileOf(dataDir, id)
  const paths = Paths.parse(JSON.parse(await readFile(file, 'utf8')))
  await rm(file)
  return paths
}
