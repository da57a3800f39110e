import { lstat } from 'node:fs/promises'
import type { JobView } from '../../../shared/contract.ts'
import { exportJobs, EXPORT_TYPES, type ExportedJob } from '../../../shared/export-jobs.ts'
import { localDay } from '../../../shared/local-day.ts'
import type { JobDetail, JobRow, UiResponseOf } from '../../../shared/ui-contract.ts'
import { callEngine } from '../../call-engine.ts'
import { keptOriginalsOf } from '../../files/kept-originals.ts'
import { detailOf, isReplaced, rowOf } from '../job-row.ts'
import { toUiRecipe } from '../recipe-tokens.ts'
import { jobOf, jobsOf, type UiCallDeps, type UiHandlers } from './ui-call-deps.ts'

type JobHandlers = Pick<UiHandlers, 'jobs.rows' | 'jobs.detail' | 'jobs.export' | 'jobs.restore'>

export function jobCalls(deps: UiCallDeps): JobHandlers {
  const { engine, clock } = deps
  return {
    'jobs.rows': async ({ ids }) => {
      const rows: JobRow[] = []
      for await (const jobs of jobsOf(engine, ids)) rows.push(...jobs.map(rowOf))
      return { rows }
    },
    'jobs.detail': async ({ id }) => detail(deps, await jobOf(engine, id)),
    'jobs.export': async ({ ids, format }) => {
      const exported: ExportedJob[] = []
      for await (const jobs of jobsOf(engine, ids)) for (const job of jobs) exported.push(await toExport(deps, job))
      const day = localDay(clock.nowMs())
      return { filename: `hangar-${day}.${format}`, type: EXPORT_TYPES[format], text: exportJobs(format, exported) }
    },
    'jobs.restore': async ({ ids, force }) => {
      const results: UiResponseOf<'jobs.restore'>['results'] = []
      for (const id of ids) results.push(await restore(deps, id, force))
      return { results }
    },
  }
}

async function detail(deps: UiCallDeps, job: JobView): Promise<JobDetail> {
  const { engine, places } = deps
  const [{ texts, drafts, decorative }, { events }, present, restorable] = await Promise.all([
    callEngine(engine, 'jobs.texts', { id: job.id }),
    callEngine(engine, 'jobs.history', { id: job.id }),
    Promise.all(job.outputs.map(({ path }) => isFile(path))),
    isRestorable(job),
  ])
  return detailOf(job, {
    recipe: toUiRecipe(places, job.recipe),
    texts,
    drafts,
    decorative,
    history: events,
    present,
    restorable,
  })
}

/** As in the details, but what lies on the disk is taken as the journal has it: there may be a hundred thousand. */
async function toExport({ engine, places }: UiCallDeps, job: JobView): Promise<ExportedJob> {
  const { texts, decorative } = await callEngine(engine, 'jobs.texts', { id: job.id })
  const present = job.outputs.map(() => true)
  return detailOf(job, {
    recipe: toUiRecipe(places, job.recipe),
    texts,
    drafts: [],
    decorative,
    history: [],
    present,
    restorable: false,
  })
}

async function restore(
  { engine }: UiCallDeps,
  id: string,
  force: boolean,
): Promise<UiResponseOf<'jobs.restore'>['results'][number]> {
  const { jobs } = await callEngine(engine, 'jobs.get', { ids: [id] })
  const [job] = jobs
  if (job === undefined)
    return { id, restored: false, problem: 'not_found', why: 'This picture is not in the list any more.' }
  if (!isReplaced(job))
    return { id, restored: false, problem: 'not_replaced', why: 'The original of this picture was not replaced.' }
  const { results } = await callEngine(engine, 'originals.restore', { paths: [job.source.path], force })
  const [result] = results
  return { id, restored: result?.restored === true, problem: result?.problem ?? null, why: result?.why ?? null }
}

/** Once it is brought back, the file in its place is the kept one itself. */
async function isRestorable(job: JobView): Promise<boolean> {
  if (!isReplaced(job)) return false
  const kept = (await keptOriginalsOf(job.source.path, job.rootDir))[0]
  if (kept === undefined) return false
  const [now, original] = await Promise.all([stats(job.source.path), stats(kept.filePath)])
  return original !== null && (now === null || now.size !== original.size || now.mtimeNs !== original.mtimeNs)
}

const stats = (path: string) => lstat(path, { bigint: true }).catch(() => null)

async function isFile(path: string): Promise<boolean> {
  return (await stats(path))?.isFile() === true
}
