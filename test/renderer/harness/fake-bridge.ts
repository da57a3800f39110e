import { NO_CHARGERS } from '../../../src/shared/chargers/charger-status.ts'
import { DEFAULT_SETTINGS } from '../../../src/shared/settings/settings.ts'
import type { UiState } from '../../../src/shared/contract/stream.ts'

/*
 * A shell for a page in Chromium that has no engine behind it: what it answers is given, what it was asked is kept.
 */

const NONE = { ready: 0, sending: 0, waiting: 0, fetching: 0, writing: 0, done: 0 }
export const NO_JOBS = { ...NONE, skipped: 0, held: 0, failed: 0, unknown: 0, cancelled: 0 }

/** The state of a window in its first minute, with `changes`. */
export function stateWith(changes: Partial<UiState> = {}): UiState {
  const { recipe, ...settings } = DEFAULT_SETTINGS
  return {
    app: {
      version: '1.0.0',
      capabilities: ['dropPaths', 'pickPaths'],
      dataDir: '/home/ada/.local/share/hangar',
      platform: 'linux',
      locale: 'en-GB',
    },
    settings: { ...settings, recipe: { ...recipe, output: { kind: 'beside' } } },
    counts: NO_JOBS,
    needsReview: 0,
    removed: 0,
    service: {
      serviceId: 'practice',
      baseUrl: 'http://127.0.0.1:40000/api/v1',
      practice: true,
      hasKey: true,
      keychainLocked: false,
      hold: null,
      unreachable: null,
      balance: { credits: 1240, atMs: Date.UTC(2026, 10, 1, 6, 30) },
      requests: 0,
    },
    folders: [],
    progress: { total: 0, ended: 0, done: 0, savedBytes: 0, leftMs: null, resultsPerMinute: null },
    reading: null,
    confirmations: [],
    away: [],
    chargers: { status: NO_CHARGERS, favourites: [] },
    versions: { recipes: 1, keys: 1, hooks: 1 },
    stopped: [],
    ...changes,
  }
}

interface FakeShell {
  state: UiState
  /** What a channel answers; one that is not named answers `{}`, or that there are no jobs. An `error` is a failure, `never` no answer; a page may put a promise in. */
  answers: Record<string, unknown>
}

/** Runs in the page, before its own scripts: nothing from outside this function exists there. */
export function installFakeBridge({ state, answers }: FakeShell): void {
  type Listener = (message: unknown) => void
  const listeners = new Set<Listener>()
  const asked: { channel: string; request: unknown }[] = []
  let now = state
  let seq = 1
  // A page starts without what earlier ones remembered, and keeps what it remembers itself when it is loaded again.
  if (sessionStorage.getItem('started') === null) {
    localStorage.clear()
    sessionStorage.setItem('started', 'yes')
  }
  const send = (changes: object) => {
    seq += 1
    const nothing = { state: {}, added: [], rows: [], stale: false, notices: [] }
    for (const listener of listeners) listener({ type: 'delta', seq, ...nothing, ...changes })
  }
  const tell = (changes: object, notices: unknown[] = []) => {
    now = { ...now, ...changes }
    send({ state: changes, notices })
  }
  const without: Record<string, unknown> = {
    'jobs.index': { sections: [] },
    'jobs.rows': { rows: [] },
    'jobs.groups': { groups: [] },
    'jobs.quarantined': { rows: [] },
    'languages.list': { languages: [] },
    'recipes.example': { outputs: [] },
    'recipes.list': { recipes: [] },
    'hooks.list': { file: '/data/hooks.json', hooks: [], problem: null },
  }
  /** Of lists of ids, these alone. */
  const among = (lists: object, ids: readonly unknown[]): object =>
    Object.fromEntries(
      Object.entries(lists).map(([name, list]: [string, object]) => [
        name,
        Array.isArray(list) ? list.filter((id) => ids.includes(id)) : among(list, ids),
      ]),
    )
  const answer = (channel: string, request: unknown): unknown => {
    asked.push({ channel, request })
    const given = answers[channel] as { never?: true; error?: unknown } | Promise<unknown> | undefined
    if (given instanceof Promise) return given.then((value) => ({ ok: true, value }))
    if (given?.never === true) return new Promise(() => undefined)
    if (given?.error !== undefined) return { ok: false, error: given.error }
    if (channel === 'jobs.facts')
      return { ok: true, value: among(given as object, (request as { ids: unknown[] }).ids) }
    if (channel === 'settings.set') {
      const changes = request as Partial<Record<'caps' | 'appearance' | 'notifications' | 'chargers', object>>
      const merged = (['caps', 'appearance', 'notifications', 'chargers'] as const).map((group) => [
        group,
        { ...now.settings[group], ...changes[group] },
      ])
      tell({ settings: { ...now.settings, ...changes, ...(Object.fromEntries(merged) as object) } })
    }
    if (channel === 'queue.pause' || channel === 'queue.resume')
      tell({ settings: { ...now.settings, paused: channel === 'queue.pause' } })
    return { ok: true, value: channel === 'settings.set' ? now.settings : (given ?? without[channel] ?? {}) }
  }
  const calls = new Proxy({}, { get: (_, channel: string) => async (request: unknown) => answer(channel, request) })
  const placesOf = async (files: readonly { name: string; webkitRelativePath: string }[]) => {
    asked.push({ channel: 'placesOf', request: files.map((file) => file.webkitRelativePath || file.name) })
    const placeOf = (name: string, n: number) => ({ token: `place-of-a-file-${n}`, name, path: `/home/ada/${name}` })
    const places = files.map(({ name }, n) => ({ ...placeOf(name, n), kind: 'file' }))
    return { ok: true, value: { places } }
  }
  const onMessage = (listener: Listener) => {
    listeners.add(listener)
    queueMicrotask(() => listener({ type: 'snapshot', seq, state: now }))
    return () => listeners.delete(listener)
  }
  Object.assign(globalThis, {
    hangar: { calls, onMessage, acknowledge: () => undefined, placesOf },
    shell: { asked, tell, changeJobs: send, answers },
  })
}
