import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { toAppError } from '../../shared/sentences/errors.ts'
import type { Job, Output } from '../../shared/jobs/job.ts'
import type { OutputType } from '../../shared/recipes/recipe.ts'
import { namesUse } from '../../shared/recipes/name-template.ts'
import { numberedName } from '../core/naming.ts'
import { listedName, resultName } from '../core/result-name.ts'
import type { Documents } from '../journal/documents.ts'
import { durably } from '../journal/journal.ts'
import { dropOutput, findOutput, forgetOutput, recordOutput } from '../journal/outputs.ts'
import { moveStale } from '../journal/stale-texts.ts'
import type { QueueContext } from './context.ts'
import { nameFactsOf } from './name-facts.ts'

/*
 * Gives results the name that a person chose after they were written. Before a file is touched, the journal has the plan, a document of
 * kind `rename`, and the sidecar lists both names: after a crash, the file is known as a result, and `finishRenames` goes on.
 */

const Plan = z.object({ jobId: z.string(), from: z.string(), to: z.string(), sha256: z.string() })
type Plan = z.infer<typeof Plan>

const LastRename = z.object({ jobId: z.string(), files: z.array(z.object({ from: z.string(), to: z.string() })) })

/** Base names. `left`: files that kept theirs, because they are gone, changed or being written. */
interface RenamedFiles {
  renamed: { from: string; to: string }[]
  left: string[]
}

/** Which nth name a result is to have; null where it keeps its own. */
type Naming = (output: Output) => ((n: number, room?: number) => string) | null

/** The results of a job that are called otherwise than they would be now: by index, with the name if it is free. */
export async function renamesOf(
  context: Pick<QueueContext, 'db' | 'files'>,
  job: Job,
): Promise<{ index: number; to: string }[]> {
  const naming = await suggestedNaming(context, job)
  return job.outputs.flatMap((output, index) => {
    const to = naming(output)?.(1)
    return to === undefined ? [] : [{ index, to }]
  })
}

/** Numbers of a name that is taken, up to which a result counts as being called by it. */
const SAME_UP_TO = 99

async function suggestedNaming(context: Pick<QueueContext, 'db' | 'files'>, job: Job): Promise<Naming> {
  const facts = nameFactsOf(context, job)
  // The folder of a result stays as it is: only its own name follows.
  const isSuggested = facts.seoName !== null && namesUse(facts.naming, 'seo', 'file')
  const room = await context.files.nameRoom(context.files.place(job.source.path, job.rootDir, job.recipe.output, null))
  return (output) => {
    if (!isSuggested || !isOwnResult(context, job, output)) return null
    const { role, width } = output
    const type = output.type as OutputType
    const ofWidth = role === 'variant' && width !== undefined ? { width } : {}
    const named = (n: number) => resultName(facts, { role: role as 'optimized', type, n, room, ...ofWidth })
    for (let n = 1; n <= SAME_UP_TO; n++) if (named(n) === basename(output.path)) return null
    return named
  }
}

/** A file of this picture that this journal wrote, and not one in the place of the original. */
function isOwnResult({ db }: Pick<QueueContext, 'db'>, { state, source }: Job, output: Output): boolean {
  if (state !== 'done' && state !== 'skipped') return false
  if (output.role === 'sidecar' || output.state !== 'published' || output.path === source.path) return false
  const known = findOutput(db, output.path)
  return known?.sourcePath === source.path && known.sha256 === output.sha256
}

/**
 * Renames the results of a job as its suggested name says, or with `back` as they were before the last time. A taken name gets a number.
 * Throws the errors of the disk; what was renamed until then stays.
 */
export function renameResults(
  context: QueueContext,
  documents: Documents,
  jobId: string,
  { back }: { back: boolean },
): Promise<RenamedFiles> {
  return context.textMutex('', async () => {
    const job = context.store.get(jobId)
    const outcome: RenamedFiles = { renamed: [], left: [] }
    if (job === null) return outcome
    const naming = back ? earlierNaming(context, documents, job) : await suggestedNaming(context, job)
    const isBusy = context.store.countUpTo(1, { path: job.source.path, states: ['fetching', 'writing'] }) > 0
    const files: z.infer<typeof LastRename>['files'] = []
    try {
      for (const output of job.outputs) {
        const names = naming(output)
        if (names === null) continue
        const to = isBusy ? null : await renameOne(context, documents, job, output, names)
        if (to === null) outcome.left.push(basename(output.path))
        else if (to !== output.path) files.push({ from: output.path, to })
      }
    } finally {
      if (!back && files.length > 0) documents.put('renamed', 'last', { jobId, files })
    }
    if (back && files.length > 0 && outcome.left.length === 0) documents.remove('renamed', 'last')
    outcome.renamed = files.map(({ from, to }) => ({ from: basename(from), to: basename(to) }))
    return outcome
  })
}

function earlierNaming(context: QueueContext, documents: Documents, job: Job): Naming {
  const last = documents.get('renamed', 'last', LastRename)
  const files = last?.jobId === job.id ? last.files : []
  return (output) => {
    const before = files.find(({ to }) => to === output.path)?.from
    if (before === undefined || !isOwnResult(context, job, output)) return null
    return (n) => numberedName(basename(before), n)
  }
}

async function renameOne(
  context: QueueContext,
  documents: Documents,
  job: Job,
  output: Output,
  names: (n: number, room: number) => string,
): Promise<string | null> {
  const { db, files } = context
  const { path: from, sha256 } = output
  let plan: Plan | null = null
  const onPlanned = async (to: string): Promise<void> => {
    if (plan !== null) await rollBack(context, documents, job, plan)
    const next = { jobId: job.id, from, to, sha256 }
    plan = next
    durably(db, () => {
      documents.put('rename', from, next)
      recordOutput(db, { ...output, path: to, state: 'planned' }, job.source.path, job.id)
    })
    await noteInSidecar(context, job, next, true)
  }
  let outcome: string | null
  try {
    outcome = await files.rename(fileOf(context, job, output), names, onPlanned)
  } catch (error) {
    if (plan !== null) await finishRename(context, documents, plan)
    throw error
  }
  if (plan === null) return outcome
  if (outcome === null) await rollBack(context, documents, job, plan)
  else await complete(context, documents, job, plan)
  return outcome
}

function fileOf({ files }: QueueContext, job: Job, { path, sha256, role }: Pick<Output, 'path' | 'sha256' | 'role'>) {
  const { targetRoot } = files.place(job.source.path, job.rootDir, job.recipe.output, null)
  const which = { rootDir: targetRoot, dir: dirname(path), name: basename(path), sha256, jobId: job.id }
  return { ...which, role: role as 'optimized' }
}

/** Finishes what a crash interrupted, after the sweep at start. */
export async function finishRenames(context: QueueContext, documents: Documents): Promise<void> {
  for (const { value } of documents.list('rename', Plan))
    await finishRename(context, documents, value).catch((error: unknown) =>
      context.log.warn('an interrupted renaming could not be finished', { error: toAppError(error).message }),
    )
}

async function finishRename(context: QueueContext, documents: Documents, plan: Plan): Promise<void> {
  const job = context.store.getAny(plan.jobId)
  if (job === null) {
    forgetOutput(context.db, plan.to)
    return documents.remove('rename', plan.from)
  }
  const output = job.outputs.find(({ path, sha256 }) => path === plan.from && sha256 === plan.sha256)
  if (output === undefined) return complete(context, documents, job, plan)
  const isRenamed = await context.files.finishRename(fileOf(context, job, output), basename(plan.to))
  await (isRenamed ? complete : rollBack)(context, documents, job, plan)
}

/** The file has its new name: first the journal says so, of every job that lists it, then the sidecar forgets the earlier one. */
async function complete(context: QueueContext, documents: Documents, job: Job, plan: Plan): Promise<void> {
  const { db, store } = context
  const { from, to } = plan
  const isIt = ({ path, sha256 }: Output): boolean => path === from && sha256 === plan.sha256
  // The job itself last: until then a restart finds what is left to do.
  const others = store.list({ path: job.source.path }).filter(({ id }) => id !== job.id)
  for (const one of [...others, job]) {
    const output = one.outputs.find(isIt)
    if (output === undefined || (one.state !== 'done' && one.state !== 'skipped')) continue
    // Removed from the list since.
    if (store.get(one.id) === null) continue
    store.apply(one.id, { type: 'renamed', from, output: { ...output, path: to } }, () => {
      dropOutput(db, from)
      moveStale(db, from, to)
    })
  }
  await noteInSidecar(context, job, plan, false)
  documents.remove('rename', from)
}

async function rollBack(context: QueueContext, documents: Documents, job: Job, plan: Plan): Promise<void> {
  await noteInSidecar(context, job, { ...plan, from: plan.to, to: plan.from }, false)
  durably(context.db, () => {
    forgetOutput(context.db, plan.to)
    documents.remove('rename', plan.from)
  })
}

function noteInSidecar({ files }: QueueContext, job: Job, plan: Plan, keeps: boolean): Promise<unknown> {
  const place = files.place(job.source.path, job.rootDir, job.recipe.output, null)
  const nameOf = (path: string) => listedName(place.targetDir, path) ?? basename(path)
  const renamed = { from: nameOf(plan.from), to: nameOf(plan.to), sha256: plan.sha256, keeps }
  return files.editSidecar(place, job.id, job.image?.sha256 ?? '', () => ({ texts: [], decorative: null, renamed }))
}
