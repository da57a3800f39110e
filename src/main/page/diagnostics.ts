import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { CALLS } from '../../shared/contract/calls.ts'
import type { Folder } from '../../shared/contract/folders.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { ServiceStatus } from '../../shared/contract/queue.ts'
import { isTemplate } from '../../shared/recipes/name-template.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { toAppError } from '../../shared/sentences/errors.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { jsonIn } from '../core/read-json.ts'
import { realClock } from '../engine/real-clock.ts'
import { readJournal } from '../engine/stored-settings.ts'
import { quarantined } from '../journal/history.ts'
import { JobStore } from '../journal/job-store.ts'
import { JOURNAL_NAME } from '../journal/journal.ts'
import { JOURNAL_VERSION } from '../journal/schema.ts'
import { waitingIn } from '../journal/waiting-jobs.ts'
import { PREVIEWS_FOLDER } from './thumb-cache.ts'
import { readSmallFile } from '../files/regular-file.ts'
import { LOG_FILE_BYTES, LOGS_FOLDER } from '../log/log.ts'

const LOG_LINES = 200

interface DiagnosticFacts {
  version: string
  dataDir: string
  settings: Settings
  folders: readonly (Pick<Folder, 'paused' | 'recipe' | 'include' | 'exclude'> & {
    state: string
    counts?: Partial<JobCounts>
  })[]
  /** Null if the process has none. */
  service: ServiceStatus | null
}

/**
 * Facts for a bug report, as JSON, with nothing about what the pictures are, where they are or whose they are. Built from an allowlist,
 * not by redaction. A journal that cannot be read is a fact too.
 */
export async function diagnostics(known: DiagnosticFacts): Promise<string> {
  const { version, dataDir, settings, folders, service } = known
  const report = {
    hangar: version,
    versions: pick(process.versions, ['node', 'electron', 'chrome', 'v8', 'modules']),
    platform: { os: process.platform, arch: process.arch },
    process: { uptimeS: Math.round(process.uptime()), memoryMb: Math.round(process.memoryUsage.rss() / 1e6) },
    settings: plainSettings(settings),
    service: service && {
      practice: service.practice,
      hasKey: service.hasKey,
      hold: service.hold?.code ?? null,
      unreachable: service.unreachable?.code ?? null,
      requests: service.requests,
    },
    ...journalled(dataDir),
    folders: folders.map((folder) => ({
      state: folder.state,
      paused: folder.paused,
      counts: folder.counts,
      recipe: plainRecipe(folder.recipe),
      includes: folder.include.length,
      excludes: folder.exclude.length,
    })),
    journal: { version: JOURNAL_VERSION, bytes: await sizeOf(join(dataDir, JOURNAL_NAME)) },
    previewsBytes: await sizeOf(join(dataDir, PREVIEWS_FOLDER)),
    freeBytes: await statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
    log: (await lastLines(dataDir)).map(plainLine),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

/** Counts of states and of their reasons, as in `failed/not_an_image`, and of entries that could not be read. */
function journalled(dataDir: string): object {
  try {
    return readJournal(dataDir, (db) => {
      const store = new JobStore(db, () => realClock.nowMs())
      const groups = waitingIn(db, store, ['held', 'failed', 'unknown', 'skipped', 'cancelled'])
      const reasons = Object.fromEntries(groups.map(({ state, code, count }) => [`${state}/${code}`, count]))
      return { counts: store.count(), reasons, quarantined: quarantined(db).length }
    })
  } catch (error) {
    return { unreadable: toAppError(error).code }
  }
}

/** Numbers, switches and words of Hangar's own. */
const PLAIN_SETTINGS = [
  ...(['keyHeader', 'requestsPerMinute', 'caps', 'resendUnknownOnce', 'retentionDays', 'paused'] as const),
  ...(['appearance', 'notifications', 'startAtLogin', 'keepInTray', 'verboseLog'] as const),
]

function plainSettings(settings: Settings): object {
  const { chargers } = settings
  const isSet = (value: string | null) => (value === null ? 'not set' : 'set')
  return {
    ...pick(settings, PLAIN_SETTINGS),
    imageBaseUrl: isSet(settings.imageBaseUrl),
    chargerBaseUrl: isSet(settings.chargerBaseUrl),
    ledgerUrl: isSet(settings.ledgerUrl),
    computerName: isSet(settings.computerName),
    inboxDir: isSet(settings.inboxDir),
    recipe: plainRecipe(settings.recipe),
    chargers: {
      ...pick(chargers, ['refreshMinutes', 'notifyFavourites']),
      aircraft: chargers.aircraft.length,
      routes: chargers.routes.length,
    },
  }
}

function plainRecipe(recipe: Recipe): object {
  return {
    ...plainMembers(recipe),
    naming: isTemplate(recipe.naming) ? 'template' : recipe.naming,
    output: recipe.output.kind,
    project: recipe.project?.kind ?? null,
    rules: recipe.rules.map(({ kind }) => kind),
  }
}

/** The members whose words are Hangar's own. */
const PLAIN_WORDS = ['operation', 'languages', 'format', 'convertOn', 'metadata', 'oversize']

/** Numbers and switches of a recipe tell nothing of a person. */
function plainMembers(members: object): object {
  const isPlain = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.every(isPlain)
      : value === null || typeof value === 'number' || typeof value === 'boolean'
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => PLAIN_WORDS.includes(name) || isPlain(value)),
  )
}

/** Fields of the log that always hold codes; other texts may be names. */
const CODES: readonly string[] = ['code', 'reason', 'state', 'kind', 'order', 'what', 'status', 'method']

function plainLine({ time, level, message, facts }: z.infer<typeof Line>): object {
  const known = Object.entries(facts).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return [[name, value]]
    if (typeof value !== 'string') return []
    if (CODES.includes(name) && /^[\w-]{1,40}$/.test(value)) return [[name, value]]
    if (name === 'channel' && Object.hasOwn(CALLS, value)) return [[name, value]]
    // Only the kind of an error: its message names files.
    const kind = /^(?:(\w*Error)\b|([A-Z][A-Z0-9_]{2,20}):)/.exec(value)
    return kind === null ? [] : [[name, kind[1] ?? kind[2]]]
  })
  return { at: time, level, message, ...Object.fromEntries(known) }
}

/** The size of a file or of everything below a folder; null when there is none. */
async function sizeOf(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return null
  if (!found.isDirectory()) return found.size
  let total = 0
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  }
  return total
}

function pick<Members extends object>(from: Members, names: readonly (keyof Members)[]): object {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}

const Line = z.object({
  time: z.iso.datetime(),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  message: z.string(),
  facts: z.record(z.string(), z.unknown()).default({}),
})

/** Of the window or of `hangar serve`; other commands keep none. */
async function lastLines(dataDir: string): Promise<z.infer<typeof Line>[]> {
  const lines: z.infer<typeof Line>[] = []
  for (const name of ['hangar.1.log', 'hangar.log']) {
    const bytes = await readSmallFile(join(dataDir, LOGS_FOLDER, name), LOG_FILE_BYTES).catch(() => null)
    for (const text of bytes?.toString('utf8').split('\n') ?? []) {
      const { data } = Line.safeParse(jsonIn(text))
      if (data !== undefined) lines.push(data)
    }
  }
  return lines.slice(-LOG_LINES)
}
