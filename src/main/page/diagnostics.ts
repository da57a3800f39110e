import { lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { CALLS } from '../../shared/contract/calls.ts'
import type { EnginePort } from '../../shared/contract/engine-port.ts'
import type { JobCounts } from '../../shared/contract/jobs.ts'
import type { JobState } from '../../shared/sentences/reasons.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { orThrow } from '../engine/ask-engine.ts'
import { JOURNAL_NAME, journalVersion } from '../journal/journal.ts'
import type { LogEntry, LogTail } from './log-tail.ts'
import { PREVIEWS_FOLDER } from './thumb-cache.ts'

const LOG_LINES = 200
/** How many jobs per state the reasons are counted over. */
const MAX_COUNTED = 2000
const WITH_REASON: readonly JobState[] = ['held', 'failed', 'unknown', 'skipped', 'cancelled']

interface DiagnosticsDeps {
  engine: EnginePort
  logTail: LogTail
  version: string
  dataDir: string
}

/**
 * Facts for a bug report, with nothing about what the pictures are, where they are or whose they are. Built from an
 * allowlist, not by redaction: numbers, codes, and Hangar's own fixed words.
 */
export async function diagnostics({ engine, logTail, version, dataDir }: DiagnosticsDeps): Promise<object> {
  const { counts, folders, service, settings } = engine.snapshot()
  const { rows } = await orThrow(engine.ask.jobs.quarantined())
  return {
    hangar: version,
    versions: pick(process.versions, ['node', 'electron', 'chrome', 'v8', 'modules']),
    platform: { os: process.platform, arch: process.arch, memoryMb: Math.round(process.memoryUsage.rss() / 1e6) },
    uptimeS: Math.round(process.uptime()),
    settings: plainSettings(settings),
    service: service && {
      practice: service.practice,
      hasKey: service.hasKey,
      hold: service.hold?.code ?? null,
      unreachable: service.unreachable?.code ?? null,
      requests: service.requests,
    },
    counts,
    reasons: await reasons(engine, counts),
    folders: folders.map((folder) => ({
      state: folder.state,
      paused: folder.paused,
      counts: folder.counts,
      recipe: plainRecipe(folder.recipe),
      includes: folder.include.length,
      excludes: folder.exclude.length,
    })),
    quarantined: rows.length,
    journal: { version: journalVersion(), bytes: await sizeOf(join(dataDir, JOURNAL_NAME)) },
    previewsBytes: await sizeOf(join(dataDir, PREVIEWS_FOLDER)),
    freeBytes: await statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
    log: logTail.last(LOG_LINES).map(plainEntry),
  }
}

async function reasons(engine: EnginePort, counts: JobCounts): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const state of WITH_REASON) {
    if (counts[state] === 0) continue
    const { jobs } = await orThrow(engine.ask.jobs.list({ states: [state], newestFirst: true, limit: MAX_COUNTED }))
    for (const { reason } of jobs) {
      const name = `${state}/${reason?.code ?? 'none'}`
      found[name] = (found[name] ?? 0) + 1
    }
  }
  return found
}

function plainSettings(settings: Settings): object {
  const { keyHeader, requestsPerMinute, caps, resendUnknownOnce, retentionDays, paused, appearance } = settings
  const { notifications, startAtLogin, keepInTray, firstRunDone, verboseLog } = settings
  const { refreshMinutes, notifyFavourites, hoursIn, streetTiles, aircraft, routes } = settings.chargers
  const isSet = (value: string | null) => (value === null ? 'not set' : 'set')
  return {
    imageBaseUrl: isSet(settings.imageBaseUrl),
    chargerBaseUrl: isSet(settings.chargerBaseUrl),
    ledgerUrl: isSet(settings.ledgerUrl),
    inboxDir: isSet(settings.inboxDir),
    recipe: plainRecipe(settings.recipe),
    keyHeader,
    requestsPerMinute,
    caps,
    resendUnknownOnce,
    retentionDays,
    paused,
    appearance,
    notifications,
    startAtLogin,
    keepInTray,
    firstRunDone,
    verboseLog,
    // Without the address of the tiles: a paid service's contains a key.
    chargers: {
      refreshMinutes,
      notifyFavourites,
      hoursIn,
      streetTiles: streetTiles.enabled,
      aircraft: aircraft.length,
      routes: routes.length,
    },
  }
}

function plainRecipe({ name: _name, output, project, ...rest }: Recipe): object {
  return { ...rest, output: output.kind, project: project?.kind ?? null }
}

/** Fields of the log that always hold codes; any other text may be a name. */
const CODES: readonly string[] = ['code', 'reason', 'state', 'kind', 'order', 'what', 'status', 'method']

function plainEntry({ atMs, level, message, facts }: LogEntry): object {
  const known = Object.entries(facts).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return [[name, value]]
    if (typeof value !== 'string') return []
    if (CODES.includes(name) && /^[\w-]{1,40}$/.test(value)) return [[name, value]]
    if (name === 'channel' && Object.hasOwn(CALLS, value)) return [[name, value]]
    // Only the kind of an error: its message names files.
    const kind = /^(?:(\w*Error)\b|([A-Z][A-Z0-9_]{2,20}):)/.exec(value)
    return kind === null ? [] : [[name, kind[1] ?? kind[2]]]
  })
  return { at: new Date(atMs).toISOString(), level, message, ...Object.fromEntries(known) }
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

function pick(from: Record<string, string | undefined>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))
}
