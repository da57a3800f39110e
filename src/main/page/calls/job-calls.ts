import { lstat } from 'node:fs/promises'
import type { EnginePort } from '../../../shared/contract/engine-port.ts'
import type { JobDetail, JobRow, JobView } from '../../../shared/contract/jobs.ts'
import type { Place } from '../../../shared/contract/places.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { EXPORT_FILES, type ExportedJob } from '../../../shared/presentation/export-jobs.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { folderAddress } from '../../../shared/text/folder-address.ts'
import { localDay } from '../../../shared/runtime/local-day.ts'
import { orThrow } from '../../../shared/contract/call.ts'
import { keptOriginalsOf } from '../../files/kept-originals.ts'
import { exportTexts, folderOfFiles, languagesOf } from '../export-texts.ts'
import { isReplaced } from '../../engine/calls/job-view.ts'
import { factsOf } from '../job-facts.ts'
import { detailOf, exportedJob, rowOf } from '../job-row.ts'
import { toUiRecipe } from '../place-forms.ts'
import { jobOf, jobsOf, type PageCallDeps, type PageHandlers } from './page-call-deps.ts'

export function jobCalls(deps: PageCallDeps) {
  const { engine, clock } = deps
  return {
    'jobs.rows': async ({ ids }) => ({ rows: await rowsOf(engine, ids) }),
    'jobs.facts': async ({ ids }) => factsOf(await rowsOf(engine, ids)),
    'jobs.detail': async ({ id }) => detail(deps, await jobOf(engine, id)),
    'jobs.sources': async ({ ids }) => {
      const found = new Map<string, Place>()
      let missing = 0
      for await (const jobs of jobsOf(engine, ids))
        for (const { source } of jobs)
          if (await isFile(source.path)) found.set(source.path, deps.places.register(source.path, 'file'))
          else missing += 1
      return { places: [...found.values()], missing }
    },
    'jobs.exportable': async ({ ids }) => {
      const jobs = await exportedJobs(deps, ids)
      const folder = folderOfFiles(jobs)
      return {
        languages: languagesOf(jobs),
        folder: folder === null ? null : deps.places.register(folder, 'folder'),
      }
    },
    'jobs.export': async ({ ids, published, ...wishes }) => {
      const { endings, type } = EXPORT_FILES[wishes.profile === undefined ? wishes.format : 'csv']
      const place = published && {
        baseUrl: addressOf(published.baseUrl),
        root: deps.places.resolveFolder(published.folder),
      }
      const document = exportTexts(await exportedJobs(deps, ids), { ...wishes, published: place }, true)
      const kind = wishes.profile === undefined ? '' : `${wishes.profile}-`
      return { filename: `hangar-${kind}${localDay(clock.nowMs())}.${endings[0]}`, type, ...document }
    },
  } satisfies Partial<PageHandlers>
}

async function rowsOf(engine: EnginePort, ids: readonly string[]): Promise<JobRow[]> {
  const rows: JobRow[] = []
  for await (const jobs of jobsOf(engine, ids)) for (const job of jobs) rows.push(rowOf(job))
  return rows
}

async function exportedJobs({ engine }: PageCallDeps, ids: readonly string[]): Promise<ExportedJob[]> {
  const exported: ExportedJob[] = []
  for await (const jobs of jobsOf(engine, ids))
    for (const job of jobs) exported.push(exportedJob(job, await orThrow(engine.perform('jobs.words', { id: job.id }))))
  return exported
}

function addressOf(text: string): string {
  const address = folderAddress(text)
  if (address === null) throw new AppError('bad_request', say('export_address'))
  return address
}

async function detail(deps: PageCallDeps, job: JobView): Promise<JobDetail> {
  const { engine, places } = deps
  const [words, present, restorable] = await Promise.all([
    orThrow(engine.perform('jobs.texts', { id: job.id })),
    Promise.all(job.outputs.map(({ path }) => isFile(path))),
    isRestorable(job),
  ])
  return detailOf(job, { recipe: toUiRecipe(places, job.recipe), ...words, present, restorable })
}

/** Once restored, the file in place is the kept one. */
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
