import { NO_CHARGERS } from '../../../src/shared/chargers/charger-status.ts'
import type { CreditHistory } from '../../../src/shared/contract/credits.ts'
import type { JobRow } from '../../../src/shared/contract/jobs.ts'
import { say } from '../../../src/shared/sentences/sentence.ts'
import { NO_JOBS, stateWith } from './fake-bridge.ts'
import { folderRow } from './folder-row.ts'
import { jobDetail, jobRow, previewOf } from './job-row.ts'

/* What a window shows when names, paths and figures are as long as people have them. */

const LONG = 'Jahreshauptversammlung-und-Flugplatzfest '.repeat(5)
const PATH = `/home/ada/Bilder/${LONG.trim()}/Nachtflugbefeuerung`
export const NOW = Date.now()

const row = (id: string, more: Partial<JobRow>) =>
  jobRow(id, { sizeBytes: 123_456, optimizedBytes: 45_678, updatedAtMs: NOW - 28 * 60_000, ...more })
const ROWS = [
  row('j1', {
    name: `${LONG.trim()}.jpg`,
    dir: PATH,
    notes: 2,
    note: { code: 'credits_lost', detail: 'creator,rights,usage_terms' },
    review: 'needed',
    languages: ['de', 'en', 'fr', 'it'],
  }),
  row('j2', {
    name: 'x'.repeat(200),
    state: 'held',
    reason: { code: 'spend_guard', detail: say('cap_per_day', { spent: 12, limit: 12 }) },
    nextSteps: ['confirm_spend', 'cancel'],
    sizeBytes: 999_999,
    optimizedBytes: null,
    convertedBytes: null,
    updatedAtMs: NOW - 53 * 60_000,
  }),
  row('j3', {
    state: 'failed',
    reason: { code: 'job_failed', detail: null },
    nextSteps: ['retry', 'drop'],
    sizeBytes: 52,
    optimizedBytes: null,
    convertedBytes: null,
    updatedAtMs: NOW - 40 * 60_000,
  }),
  row('j4', { state: 'waiting', optimizedBytes: null, convertedBytes: null, sizeBytes: 12_345_678 }),
]

const FOLDER = folderRow('f1', {
  path: PATH,
  recipe: {
    ...stateWith().settings.recipe,
    name: LONG.slice(0, 60),
    rules: [
      {
        kind: 'replace' as const,
        from: LONG.slice(0, 90),
        to: LONG.slice(0, 90),
        at: 'anywhere' as const,
        language: 'de',
      },
      { kind: 'never' as const, words: LONG.slice(0, 90), language: null },
    ],
  },
  state: 'missing',
  because: { code: 'not_there', values: {} },
  counts: { ...NO_JOBS, done: 18_000, held: 3, failed: 2, waiting: 3 },
  lastEventAtMs: 1,
})

const HISTORY: CreditHistory = {
  fromMs: NOW - 30 * 86_400_000,
  untilMs: NOW,
  balances: [{ atMs: NOW - 86_400_000, credits: 1_234_567 }],
  days: [{ day: '2026-11-20', sent: 1234, credits: 12_345 }],
  perDay: 1234,
  sentToday: 1234,
  sentThisMonth: 12_345,
  team: null,
}

const output = (index: number, role: 'optimized' | 'converted', name: string) => ({
  index,
  role,
  name,
  path: `${PATH}/${name}`,
  sizeBytes: 123_456,
  type: 'webp',
  state: 'published' as const,
})

const DETAIL = jobDetail(ROWS[0]!, {
  recipe: FOLDER.recipe,
  texts: ['de', 'en'].map((languageCode) => ({
    languageCode,
    seoFilename: 'x'.repeat(80),
    originalName: null,
    altText: LONG,
    original: null,
  })),
  image: { sha256: 'a'.repeat(64), type: 'jpeg', width: 12_000, height: 8000, animated: false },
  outputs: [output(0, 'optimized', `${LONG.trim()}-optimized.jpg`), output(1, 'converted', `${'x'.repeat(200)}.webp`)],
  history: [{ atMs: 1, event: 'found', state: 'ready', reason: null }],
})

export const STATE = {
  counts: { ...NO_JOBS, held: 120, done: 1, failed: 1, waiting: 1 },
  app: {
    ...stateWith().app,
    capabilities: ['browse' as const, 'dropPaths' as const, 'download' as const, 'reveal' as const],
  },
  settings: { ...stateWith().settings, imageBaseUrl: 'https://pictures.example.org/api/v1' },
  needsReview: 1,
  removed: 3,
  folders: [FOLDER],
  confirmations: [
    {
      ...({ batchId: 'b1', kind: 'folder', folderId: 'f1', held: 240, confirmable: true } as const),
      detail: say('burst', { pictures: 240, limit: 100 }),
    },
  ],
  chargers: {
    status: { ...NO_CHARGERS, version: 7, atMs: NOW - 180_000, count: 5, sample: true },
    favourites: [3],
  },
}

export const ANSWERS = {
  'jobs.index': { sections: [{ key: '', title: null, folderId: null, atMs: null, ids: ROWS.map(({ id }) => id) }] },
  'jobs.rows': { rows: ROWS },
  'jobs.detail': DETAIL,
  'jobs.tryRules': {
    found: [{ id: 'j1', name: ROWS[0]!.name, path: '/a', languageCode: 'de', before: LONG, after: LONG }],
    flagged: [],
    texts: 12,
    persons: 3,
    more: 0,
  },
  'recipes.list': { recipes: [{ id: 'r1', recipe: { ...FOLDER.recipe } }] },
  'recipes.example': {
    outputs: [`${LONG.trim()}.webp`],
  },
  'languages.list': { languages: [{ code: 'de', name: 'German', nativeName: 'Deutsch' }] },
  'credits.afford': { canAfford: false, required: 1_234_567, balance: 1240, shortfall: 1_233_327 },
  'batches.price': { required: 1_234_567, balance: 1240, shortfall: 1_233_327, atMost: false, images: 240 },
  'intake.preview': previewOf({
    pictures: 250,
    totalBytes: 4_200_000_000,
    toSend: 240,
    free: 9,
    estimated: true,
    refusals: [{ name: `${LONG.trim()}.gif`, reason: { code: 'cut_off', detail: null } }],
    price: { required: 1500, balance: 1240, shortfall: 260, atMost: true },
    examples: [{ source: ROWS[0]!.name, outputs: [`${LONG.trim()}-optimized.jpg`, `${'x'.repeat(200)}.webp`] }],
  }),
  'keys.status': {
    name: 'image',
    origin: 'https://pictures.example.org',
    present: true,
    setAtMs: null,
    place: 'memory',
    because: 'no_service',
  },
  'places.browse': {
    here: { token: 'token-of-the-folder', name: LONG.trim(), path: `${PATH}/${LONG.trim()}`, kind: 'folder' },
    parent: 'token-of-the-folder-above',
    folders: [{ token: 'token-of-a-folder-in-it', name: LONG.trim(), path: `${PATH}/${LONG.trim()}`, kind: 'folder' }],
    pictures: 12_345,
    cut: false,
  },
  'credits.history': HISTORY,
}
