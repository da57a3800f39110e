import { dirname, join } from 'node:path'
import { Translation, type ImageFacts, type Job, type Output, type ServiceResult } from '../../shared/jobs/job.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { MAX_TEMPLATE_FOLDERS, SEO_STAND_IN, templateOf } from '../../shared/recipes/name-template.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { encodesHere, uploads } from '../../shared/recipes/recipe-facts.ts'
import { hasEnded } from '../../shared/sentences/job-states.ts'
import type { FailReason, NoteCode } from '../../shared/sentences/reasons.ts'
import type { Sidecar } from '../../shared/jobs/sidecar.ts'
import { MIN_NAME_ROOM } from '../core/naming.ts'
import { isUnsent } from '../core/next-steps.ts'
import { isSameShape, leavesOutAlike, shapeOf, type ShapedRole } from '../core/output-shape.ts'
import { isSentSmaller, makesNothing, paidKeyOf, planWork, recipeSignature, whyNothing } from '../core/plan-work.ts'
import type { WorkPlan } from '../core/plan-work.ts'
import { listedName } from '../core/result-name.ts'
import { wantedTexts } from '../core/wanted-texts.ts'
import type { DecisionContext } from './context.ts'
import { dateOf, nameFactsOf, resultsOf } from './name-facts.ts'
import { newJob, type PictureRequest } from './new-job.ts'
import { findOutput, isOutputHash } from '../journal/outputs.ts'
import type { SourceRead } from '../core/source-read.ts'
import type { Placement } from './ports.ts'

export type Snapshot = Extract<SourceRead, { kind: 'snapshot' }>

/**
 * What a sidecar says about this picture and recipe, as far as the files confirm it. It counts for this request only: anyone who can
 * write to the folder may have made it.
 */
interface SidecarFindings {
  isDone: boolean
  /** The sidecar, and those of the results it lists whose bytes match. */
  outputs: Output[]
  result: ServiceResult | null
  remoteJobId: string | null
  /** A person marked the picture as decoration. */
  decorative: boolean
}

export type Assessment =
  /** `isUnrecorded`: only a sidecar or its bytes identify it. */
  | { kind: 'ownOutput'; isUnrecorded: boolean }
  /** For the same content and recipe, or replaced by this one: under way, unknown, or done with every output in place. */
  | { kind: 'existing'; job: Job }
  | { kind: 'refused'; reason: FailReason; detail: Sentence; image: ImageFacts | null }
  | { kind: 'nothingToDo'; image: ImageFacts; why: Sentence }
  | { kind: 'work'; image: ImageFacts; plan: WorkPlan; paidKey: string | null; findings: SidecarFindings }

export interface AssessOptions {
  signal?: AbortSignal | undefined
  /** A JPEG that is only encoded here is decoded then: damage in its pixels may be found then. */
  leavesPixels?: boolean
}

/** Finds out what one picture needs, and changes nothing. Throws `unreadable` when a sidecar cannot be read now, and `aborted`. */
export async function assessPicture(
  context: DecisionContext,
  request: PictureRequest,
  read: Snapshot,
  { signal, leavesPixels = false }: AssessOptions = {},
): Promise<Assessment> {
  const { db, files } = context
  if (findOutput(db, request.path)?.sha256 === read.sha256) return { kind: 'ownOutput', isUnrecorded: false }
  if (await isOwnOutput(context, request, read)) return { kind: 'ownOutput', isUnrecorded: true }
  const earlier = request.force ? null : await earlierJob(context, request, read)
  if (earlier !== null) return { kind: 'existing', job: earlier }
  const seen = await files.pictures.inspect(
    { bytes: read.bytes, leavesJpegPixels: leavesPixels && encodesWholeHere(request.recipe) },
    signal,
  )
  if (!seen.ok) return { kind: 'refused', reason: seen.reason, detail: seen.detail, image: null }
  const { type, width, height, animated, frames, extras, takenAt, transparent } = seen
  const facts = { sha256: read.sha256, type, width, height, animated, frames, extras }
  const image: ImageFacts = {
    ...facts,
    ...(takenAt === undefined ? {} : { takenAt }),
    ...(transparent === undefined ? {} : { transparent }),
  }
  const plan = planWork(request.recipe, image)
  if ('cannot' in plan) return { kind: 'refused', reason: plan.reason, detail: plan.cannot, image }
  if (animated && isSentSmaller(request.recipe, read.sizeBytes))
    return { kind: 'refused', reason: 'too_large', detail: say('no_copy_of_animation'), image }
  if (makesNothing(plan)) return { kind: 'nothingToDo', image, why: whyNothing(request.recipe, image) }
  const place = files.place(request.path, request.rootDir, request.recipe.output, null)
  const room = await files.nameRoom(place)
  if (room < MIN_NAME_ROOM) {
    const detail = say('names_this_short', { count: room, least: MIN_NAME_ROOM })
    return { kind: 'refused', reason: 'names_too_short', detail, image }
  }
  const blocked = await whyNoFolder(context, request, read, image)
  if (blocked !== null) return { kind: 'refused', reason: 'no_free_name', detail: blocked, image }
  const paidKey = plan.send === null ? null : paidKeyOf(request.serviceId, { ...read, type }, plan.send, request.recipe)
  const findings = request.force ? NO_FINDINGS : await findInSidecar(context, request, read, plan)
  return { kind: 'work', image, plan, paidKey, findings }
}

/** Finds a folder of a template that cannot be used before anything is paid, as far as its name is known. */
async function whyNoFolder(
  context: DecisionContext,
  request: PictureRequest,
  read: Snapshot,
  image: ImageFacts,
): Promise<Sentence | null> {
  const { path, rootDir, recipe } = request
  if ((templateOf(recipe.naming)?.folders.length ?? 0) === 0) return null
  const job = newJob(context, request, read, image)
  // Of folders with a suggested name or a number, those around them are looked at.
  const unknown = { seoName: { standsFor: SEO_STAND_IN }, number: null, date: dateOf(image, read) }
  const place = context.files.place(path, rootDir, recipe.output, { ...nameFactsOf(context, job), ...unknown })
  for (const result of resultsOf(job)) {
    const why = await context.files.whyNoFolder(place, await context.files.resultDir(place, result))
    if (why !== null) return why
  }
  return null
}

async function isOwnOutput({ db, files }: DecisionContext, request: PictureRequest, read: Snapshot): Promise<boolean> {
  if (isOutputHash(db, read.sha256)) return true
  if ((await files.listedOutputs(dirname(request.path), read.changedNs)).hashes.has(read.sha256)) return true
  return isListedAbove(files, request, read)
}

/** A template puts results into folders below their sidecar. */
async function isListedAbove(
  files: DecisionContext['files'],
  request: Pick<PictureRequest, 'path' | 'rootDir'>,
  read: Snapshot,
): Promise<boolean> {
  for (const above of foldersAbove(dirname(request.path))) {
    if (isInside(request.rootDir, above)) {
      if ((await files.listedOutputs(above, read.changedNs)).hashes.has(read.sha256)) return true
      continue
    }
    // Outside the given folder, others may write: only a sidecar that lists this very file counts.
    const listed = await files.listedOutputs(above, read.changedNs).catch(() => null)
    if (listed?.byName.get(listedName(above, request.path) ?? '') === read.sha256) return true
  }
  return false
}

/** As many as a template can make, the nearest first. */
function foldersAbove(dir: string): string[] {
  const found: string[] = []
  for (let at = dir; found.length < MAX_TEMPLATE_FOLDERS && dirname(at) !== at; found.push(at)) at = dirname(at)
  return found
}

const isInside = (root: string, dir: string): boolean => dir === root || listedName(root, dir) !== null

async function earlierJob(context: DecisionContext, request: PictureRequest, read: Snapshot): Promise<Job | null> {
  const signature = recipeSignature(request.recipe, read.sizeBytes)
  const known = context.store.list({ path: request.path, newestFirst: true, limit: 50 })
  const same = known
    .filter((job) => job.image?.sha256 === read.sha256 && job.signature === signature)
    .filter((job) => job.serviceId === request.serviceId || job.paidKey === null)
  for (const job of same) {
    if (job.state === 'done' && (await allThere(context, job))) return job
    if (!hasKnownOutcome(job)) return job
  }
  return replacedJobs(known, request).find(mayBeCharged) ?? restoredJob(context, request, read)
}

/** The job whose result replaced an original that a person restored. A watch leaves it so. */
function restoredJob({ store }: DecisionContext, request: PictureRequest, { sha256 }: Snapshot): Job | null {
  const { path, folderId, recipe, insteadOf } = request
  if (folderId === null || insteadOf !== undefined || recipe.output.kind !== 'replace') return null
  const isIt = ({ role, path: at, state }: Output) => role !== 'sidecar' && at === path && state === 'published'
  const jobs = [false, true].flatMap((removed) => store.list({ path, states: ['done'], newestFirst: true, removed }))
  return jobs.find(({ image, outputs }) => image?.sha256 === sha256 && outputs.some(isIt)) ?? null
}

const hasKnownOutcome = ({ state }: Job): boolean => hasEnded(state) && state !== 'unknown'

/** Those of a picture's jobs that the recipe was chosen in place of. */
export function replacedJobs(jobs: readonly Job[], { insteadOf }: PictureRequest): Job[] {
  return insteadOf === undefined ? [] : jobs.filter(({ id }) => insteadOf.has(id))
}

/** Another recipe for its picture could be a second charge. */
export const mayBeCharged = (job: Job): boolean => !hasKnownOutcome(job) && !isUnsent(job)

async function allThere(context: DecisionContext, job: Job): Promise<boolean> {
  for (const output of job.outputs.filter(({ role }) => role !== 'sidecar'))
    if (!(await context.files.hasHash(output.path, output.sha256))) return false
  const sidecar = job.outputs.find(({ role }) => role === 'sidecar')
  // A person may have edited the sidecar: its existence is enough.
  if (sidecar === undefined) return true
  const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, null)
  return (await context.files.readSidecar(place, job.image?.sha256 ?? '')) !== null
}

const NO_FINDINGS: SidecarFindings = { isDone: false, outputs: [], result: null, remoteJobId: null, decorative: false }

/** Nothing is sent, and the picture is encoded in its own size, which decodes every pixel. */
const encodesWholeHere = (recipe: Recipe): boolean =>
  !uploads(recipe) && encodesHere(recipe) && recipe.longEdge === null

/** What a picture needs to be found in the sidecar beside its results. */
type SidecarRequest = Pick<PictureRequest, 'path' | 'rootDir' | 'recipe' | 'serviceId'>

export async function findInSidecar(
  context: DecisionContext,
  request: SidecarRequest,
  read: Pick<Snapshot, 'sha256' | 'sizeBytes'>,
  plan: WorkPlan,
): Promise<SidecarFindings> {
  const { files } = context
  const place = files.place(request.path, request.rootDir, request.recipe.output, null)
  const found = await files.readSidecar(place, read.sha256)
  if (found === null || !isSamePayment(found.sidecar, request, plan)) return NO_FINDINGS
  const { sidecar } = found
  const { recipe } = request
  const wanted: { role: ShapedRole; width?: number }[] = [
    ...(['optimized', 'converted'] as const).filter((role) => plan[role]).map((role) => ({ role })),
    ...plan.widths.map((width) => ({ role: 'variant' as const, width })),
  ]
  let complete = true
  const ofSidecar = await files.measure(found.path)
  const outputs: Output[] =
    ofSidecar === null ? [] : [{ role: 'sidecar', path: found.path, ...ofSidecar, type: 'json', state: 'published' }]
  for (const { role, width } of wanted) {
    const isOfRole = ({ role: listed, type }: Sidecar['outputs'][number]): boolean =>
      role === 'optimized' ? listed === role : listed === 'converted' && type === recipe.format
    // Outputs of earlier runs stay listed: one that exists is enough.
    const there = await Promise.all(
      sidecar.outputs
        .filter((output) => output.of === undefined && isOfRole(output))
        .filter(({ made }) => made !== undefined && isSameShape(made, shapeOf(recipe, role, width)))
        .map(async ({ name, sha256, type, width: wide, height }): Promise<Output[]> => {
          const { path, file } = await findListed(files, place, name)
          const size = wide === undefined || height === undefined ? {} : { width: wide, height }
          return file?.sha256 === sha256 ? [{ role, path, ...file, type, state: 'published', ...size }] : []
        }),
    )
    outputs.push(...there.flat())
    complete &&= there.some(({ length }) => length > 0) || isLeftOut(sidecar, recipe, plan, role, width)
  }
  const isDone = complete && sidecar.recipe.naming === request.recipe.naming
  const decorative = sidecar.decorative === true
  return { isDone, outputs, result: recordedResult(sidecar, recipe), remoteJobId: sidecar.service.jobId, decorative }
}

/** A result under the name that its sidecar lists, in any normal form: syncing may change it. */
async function findListed(
  files: DecisionContext['files'],
  { targetDir: dir, targetRoot }: Placement,
  name: string,
): Promise<{ path: string; file: Awaited<ReturnType<DecisionContext['files']['measure']>> }> {
  for (const spelling of new Set([name, name.normalize('NFC'), name.normalize('NFD')])) {
    const path = join(dir, spelling)
    const file = await files.measure(path, targetRoot)
    if (file !== null) return { path, file }
  }
  return { path: join(dir, name), file: null }
}

/** Whether the last run left a file out, and this one would too. */
function isLeftOut(sidecar: Sidecar, recipe: Recipe, plan: WorkPlan, role: ShapedRole, width?: number): boolean {
  const left = (code: NoteCode) => sidecar.notes.find((note) => note.startsWith(code))
  switch (role) {
    case 'optimized':
      return (
        left('frames_lost') !== undefined ||
        (left('saved_too_little') !== undefined && leavesOutAlike(sidecar, recipe, role)) ||
        (left('optimized_not_cleaned') !== undefined && recipe.metadata !== 'keep-all')
      )
    case 'converted':
      return left('converted_not_kept') !== undefined && leavesOutAlike(sidecar, recipe, role)
    case 'variant': {
      // Each variant is compared with the next wider one.
      const isSameSet = sidecar.recipe.widths?.join() === plan.widths.join()
      const widths = left('widths_not_kept')?.match(/\d+/g)
      return isSameSet && widths?.includes(`${width}`) === true && leavesOutAlike(sidecar, recipe, 'converted')
    }
  }
}

/** Whether a sidecar is about the same payment as this request. What is made here from the result is free. */
function isSamePayment(sidecar: Sidecar, request: SidecarRequest, plan: WorkPlan): boolean {
  const languages = (list: readonly string[]) => [...new Set(list)].sort().join(',')
  const speaks = plan.send === 'process' || plan.send === 'analyze'
  const converts = plan.send === 'process' || plan.send === 'convert'
  return (
    sidecar.recipe.sent === plan.send &&
    (plan.send === null || sidecar.service.id === request.serviceId) &&
    (!speaks || languages(sidecar.recipe.languages) === languages(request.recipe.languages)) &&
    (!converts || sidecar.recipe.format === request.recipe.format)
  )
}

function recordedResult(sidecar: Sidecar, { languages }: Recipe): ServiceResult | null {
  if (sidecar.service.imageId === null) return null
  return {
    imageId: sidecar.service.imageId,
    originalSize: null,
    optimizedSize: null,
    convertedFormat: null,
    convertedSize: null,
    compressionPercentage: null,
    translations: wantedTexts(sidecar.translations, languages).map((text) => Translation.parse(text)),
  }
}
