import type { JobDetail, JobRow } from '../../../src/shared/contract/jobs.ts'
import { CHIPS } from '../../../src/renderer/store/jobs-filter.ts'
import { stateWith } from './fake-bridge.ts'

/** A line of the list as the shell gives it; `id` decides what is not given. */
export function jobRow(id: string, more: Partial<JobRow> = {}): JobRow {
  return {
    id,
    batchId: 'b1',
    folderId: null,
    name: `${id}.jpg`,
    dir: '/pictures',
    state: 'done',
    reason: null,
    nextSteps: [],
    review: 'none',
    notes: 0,
    note: null,
    sizeBytes: 1000,
    optimizedBytes: 400,
    convertedBytes: 300,
    languages: ['en'],
    width: 40,
    height: 30,
    replaced: false,
    recipeCanChange: !['unknown', ...CHIPS.waiting, ...CHIPS.working].includes(more.state ?? 'done'),
    removedAtMs: null,
    practice: false,
    notBeforeMs: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    ...more,
  }
}

/** The details of a row, with no texts and no files unless given. */
export function jobDetail(row: JobRow, more: Partial<JobDetail> = {}): JobDetail {
  return {
    row,
    path: `${row.dir}/${row.name}`,
    recipe: stateWith().settings.recipe,
    texts: [],
    earlier: [],
    decorative: false,
    notes: [],
    service: { id: 'practice', practice: true },
    image: null,
    outputs: [],
    figures: null,
    restorable: false,
    history: [],
    ...more,
  }
}

/** What a preview of pictures says: three of them, two of which would be sent. */
export const previewOf = (more: object = {}) => ({
  held: null,
  progress: null,
  pictures: 3,
  totalBytes: 4_200_000,
  foreign: { count: 0, first: [] },
  toSend: 2,
  free: 0,
  done: 0,
  nothingToDo: 0,
  refused: 1,
  estimated: false,
  refusals: [{ name: 'scan.gif', reason: { code: 'cut_off', detail: null } }],
  price: { required: 10, balance: 1240, shortfall: 0, atMost: false },
  away: false,
  examples: [{ source: 'a.jpg', outputs: ['a-optimized.jpg', 'a.webp', 'a.jpg.alt.json'] }],
  first: [],
  ...more,
})
