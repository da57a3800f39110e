import { join } from 'node:path'
import { encodeTime } from 'ulid'
import type { Job } from '../../src/shared/jobs/job.ts'
import type { JobState, Reason } from '../../src/shared/sentences/reasons.ts'
import { DEFAULT_RECIPE } from '../../src/shared/recipes/recipe.ts'
import { recipeSignature } from '../../src/main/core/plan-work.ts'
import { insertBatch } from '../../src/main/journal/batches.ts'
import { prepareDataFolder } from '../../src/main/journal/data-folder.ts'
import { JobStore } from '../../src/main/journal/job-store.ts'
import { openJournal } from '../../src/main/journal/journal.ts'
import { untouched } from '../../src/main/queue/new-job.ts'

export const SERVICE = 'https://images.example'
const LANGUAGES = ['en', 'de', 'fr', 'ja', 'ar']
/** Pictures in one batch. */
const BATCH = 400
const A_MINUTE = 60_000

/** How many of a thousand jobs are in each state; the rest is done. */
const STATES: readonly [number, JobState, Reason | null][] = [
  [30, 'ready', null],
  [10, 'held', { code: 'credits_short', detail: null }],
  [12, 'failed', { code: 'rejected_by_service', detail: { raw: 'The image could not be read' } }],
  [3, 'unknown', { code: 'unclear_answer', detail: null }],
  [40, 'skipped', { code: 'already_done', detail: null }],
  [5, 'cancelled', { code: 'before_sending', detail: null }],
]

const SUBJECTS = ['airfield', 'cockpit', 'hangar', 'runway', 'windsock', 'glider', 'charger', 'landing']
const PLACES = ['north', 'south', 'dawn', 'dusk', 'summer', 'winter']

/** Jobs as they are after months of use: real names, several folders, mostly done. `n` decides everything. */
export function jobOf(n: number, id: string, picturesDir: string, atMs: number): Job {
  const [state, reason] = stateOf(n)
  const name = `${SUBJECTS[n % 8]}-${PLACES[n % 6]}-${String(n).padStart(6, '0')}`
  const dir = join(picturesDir, `${2020 + (Math.floor(n / 20_000) % 7)}`, SUBJECTS[Math.floor(n / 1000) % 8]!)
  const path = join(dir, `${name}.jpg`)
  const sha256 = n.toString(16).padStart(64, '0')
  const recipe = { ...DEFAULT_RECIPE, languages: LANGUAGES.slice(0, 1 + (n % 5)) }
  const sizeBytes = 800_000 + ((n * 7919) % 6_000_000)
  const isDone = state === 'done'
  const output = (role: 'optimized' | 'converted', end: string, share: number) => ({
    role,
    path: join(dir, `${name}${end}`),
    sha256,
    sizeBytes: Math.round(sizeBytes * share),
    type: role === 'optimized' ? ('jpeg' as const) : ('webp' as const),
    state: 'published' as const,
  })
  return {
    ...untouched(),
    id,
    batchId: batchOf(n),
    folderId: null,
    rootDir: picturesDir,
    state,
    reason,
    recipe,
    source: { path, sizeBytes, mtimeNs: '1' },
    image: { sha256, type: 'jpeg', width: 4000, height: 3000, animated: false, frames: 1, extras: [] },
    signature: recipeSignature(recipe, sizeBytes),
    operation: 'process',
    serviceId: SERVICE,
    paidKey: `${SERVICE}|${sha256}|process|en|webp`,
    resume: state === 'held' ? 'ready' : null,
    result: isDone ? resultOf(name, sizeBytes, recipe.languages) : null,
    outputs: isDone ? [output('optimized', '-optimized.jpg', 0.38), output('converted', '.webp', 0.29)] : [],
    sentAtMs: isDone ? atMs : null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }
}

/** A ULID whose random part is the number: drawing a hundred thousand takes longer than writing them. */
export const idOf = (n: number, atMs: number) => encodeTime(atMs) + String(n).padStart(16, '0')
export const batchOf = (n: number) => `bench-${Math.floor(n / BATCH)}`

function stateOf(n: number): [JobState, Reason | null] {
  // Spread out, so that every screen shows some of each.
  let place = (n * 577) % 1000
  for (const [share, state, reason] of STATES) {
    if (place < share) return [state, reason]
    place -= share
  }
  return ['done', null]
}

function resultOf(name: string, sizeBytes: number, languages: readonly string[]): Job['result'] {
  const translations = languages.map((languageCode) => ({
    languageCode,
    seoFilename: name,
    seoAltText: `A picture of ${name.replaceAll('-', ' ')}`,
  }))
  return {
    imageId: name,
    originalSize: sizeBytes,
    optimizedSize: Math.round(sizeBytes * 0.38),
    convertedFormat: 'webp',
    convertedSize: Math.round(sizeBytes * 0.29),
    compressionPercentage: 62,
    translations,
  }
}

/** Fills an empty data folder with `count` jobs, the newest a moment ago. */
export async function seedJournal(dataDir: string, picturesDir: string, count: number, nowMs: number): Promise<void> {
  await prepareDataFolder(dataDir)
  const db = openJournal(dataDir)
  // Everything in memory until it is written once: a crash only means to begin again.
  db.pragma('cache_size = -800000')
  db.pragma('synchronous = OFF')
  db.pragma('journal_mode = OFF')
  let atMs = nowMs
  const store = new JobStore(db, () => atMs)
  db.transaction(() => {
    for (let n = 0; n < count; n += 1) {
      atMs = nowMs - (count - n) * A_MINUTE
      if (n % BATCH === 0)
        insertBatch(
          db,
          {
            id: batchOf(n),
            kind: 'run',
            folderId: null,
            open: false,
            confirmed: true,
            maxCredits: null,
            creditsPerImage: null,
            boundTo: null,
          },
          atMs,
        )
      store.insert(jobOf(n, idOf(n, atMs), picturesDir, atMs))
    }
  })()
  db.pragma('journal_mode = WAL')
  db.close()
}
