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
