import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { CheckedRequest, EngineResponse } from '../../../shared/contract/calls.ts'
import { languageCodeOf } from '../../../shared/text/language-code.ts'
import { takenText } from '../../../shared/text/safe-characters.ts'
import { MAX_TEXTS_BYTES } from '../../../shared/recipes/limits.ts'
import { errorCode } from '../../../shared/runtime/error-code.ts'
import { withoutUndefined } from '../../../shared/settings/without-undefined.ts'
import { AppError, toAppError } from '../../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../../shared/sentences/sentence.ts'
import type { Job, Translation } from '../../../shared/jobs/job.ts'
import { readTexts } from '../../core/read-texts.ts'
import {
  blankText,
  earlierTexts,
  editedBytes,
  hasRoom,
  keepEarlierText,
  recordDecorative,
  recordEdit,
  recordName,
  wordsOf,
} from '../../journal/text-edits.ts'
import { historyOf } from '../../journal/history.ts'
import { durably, type Db } from '../../journal/journal.ts'
import { removedAt } from '../../journal/removed-jobs.ts'
import { markReviewed, reviewOf } from '../../journal/reviews.ts'
import { markStale } from '../../journal/stale-texts.ts'
import { refreshTexts } from '../../queue/refresh-texts.ts'
import type { QueueContext } from '../../queue/context.ts'
import { renameResults, renamesOf } from '../../queue/rename-results.ts'
import { jobsOfContent, writeEdits } from '../../queue/write-edits.ts'
import { found, inSlices, type CallsDeps, type Handlers } from './call-deps.ts'
import { viewOf } from './job-view.ts'
import { contentsAt, isLost, pathsOf, TextMatcher, RuleTrial } from './match-texts.ts'

export function textCalls(deps: CallsDeps) {
  const { context, documents, fileWork, stopping } = deps
  const { store, db } = context
  return {
    'jobs.words': ({ id }) => wordsOf(db, found(store.getAny(id), id)),
    'jobs.texts': async ({ id }) => {
      const job = found(store.getAny(id), id)
      return {
        ...wordsOf(db, job),
        earlier: earlierTexts(db, job.image?.sha256 ?? ''),
        reviewed: reviewOf(db, job) === 'reviewed',
        renames: removedAt(db, id) === null ? await renamesOf(context, job) : [],
        history: historyOf(db, id),
      }
    },
    'jobs.editText': (given) => editOne(deps, { ...given, seoFilename: null }),
    'jobs.editName': (given) => editOne(deps, { ...given, altText: null, review: false }),
    'jobs.matchTexts': async ({ format, folder, ...sent }) => {
      const given = readTexts(format, await readImport(sent))
      if (folder !== null) for (const text of given.texts) text.path = resolve(folder, text.path)
      const lost: string[] = []
      await inSlices(pathsOf(given.texts), (path) => {
        if (isLost(store, path)) lost.push(path)
      })
      const matcher = new TextMatcher(context, await contentsAt(lost, stopping), { format, unread: given.unread })
      await inSlices(given.texts, (text) => matcher.add(text))
      return matcher.matched()
    },
    'jobs.editTexts': (given) => editTexts(deps, given),
    'jobs.renameFiles': ({ id, back }) => {
      const job = found(store.get(id), id)
      return fileWork.run(() => renameResults(context, documents, job.id, { back }))
    },
    'jobs.tryRules': async ({ ids, rules }) => {
      const trial = new RuleTrial(db, rules)
      await inSlices(ids, (id) => {
        const job = store.getAny(id)
        if (job !== null) trial.add(job)
      })
      return trial.tried
    },
    'jobs.decorative': (given) => setDecorative(deps, given),
    'jobs.earlierText': (given) => setEarlierText(deps, given),
  } satisfies Partial<Handlers>
}

type EditDeps = Pick<CallsDeps, 'context' | 'emit' | 'fileWork'>

/** A picture whose text in a language may be edited. Throws `not_found`, and `bad_request` for what is no language. */
function editable({ store }: QueueContext, id: string, languageCode: string) {
  const job = found(store.getAny(id), id)
  if (job.image === null || !hasTexts(job)) throw new AppError('not_found', say('no_texts_yet'))
  const text = writable(job, languageCode)
  if (text === null) throw new AppError('bad_request', say('no_language', { language: languageCode }))
  return { job, sha256: job.image.sha256, text }
}

const hasTexts = ({ result }: Job): boolean => (result?.translations.length ?? 0) > 0

/** What the service wrote in this language, or a blank text to fill; null without texts of the service, and for what is no language. */
function writable(job: Job, languageCode: string): Translation | null {
  const known = job.result?.translations.find((text) => text.languageCode === languageCode)
  if (known !== undefined) return known
  return hasTexts(job) && languageCodeOf(languageCode) === languageCode ? blankText(languageCode) : null
}

/** Throws `bad_request`, which undoes the edits, if they take more than `before` and than a sidecar has room for. */
function assertRoom(db: Db, job: Job, sha256: string, before: number): void {
  if (!hasRoom(editedBytes(db, sha256), before))
    throw new AppError('bad_request', say('texts_too_large', { name: basename(job.source.path) }))
}

async function bringWords({ context, fileWork }: EditDeps, job: Job, sha256: string) {
  const { whys, filesLeft } = await fileWork.run(() => bringTexts(context, [[sha256, { job }]]))
  return { sidecarWritten: whys.length === 0, why: whys[0] ?? null, filesLeft }
}

async function editOne(deps: EditDeps, { id, review, ...words }: Words & { id: string; review: boolean }) {
  const { context, emit } = deps
  const { db } = context
  const { job, sha256, text } = editable(context, id, words.languageCode)
  const isReviewed = durably(db, () => {
    const bytes = editedBytes(db, sha256)
    recordWords(context, job, sha256, text, words)
    assertRoom(db, job, sha256, bytes)
    return review && markReviewed(db, id, true)
  })
  const toReview = isReviewed && removedAt(db, id) === null ? -1 : 0
  emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview })
  const written = await bringWords(deps, job, sha256)
  return { texts: wordsOf(db, job).texts, ...written }
}

/** What a person writes in a language; null stays as it is. */
interface Words {
  languageCode: string
  altText: string | null
  seoFilename: string | null
  byRule?: boolean | undefined
}

/** Nothing, or just what the service says, is no edit. */
function recordWords(
  context: QueueContext,
  job: Job,
  sha256: string,
  theirs: Translation,
  { languageCode, altText, seoFilename, byRule }: Words,
): void {
  const { db, clock } = context
  const own = (to: string, service: string) => {
    const words = takenText(to)
    return words === '' || words === service ? null : words
  }
  const nowMs = clock.nowMs()
  if (altText !== null) {
    markStale(db, jobsOfContent(context, job, sha256))
    recordEdit(db, sha256, languageCode, own(altText, theirs.seoAltText), nowMs, withoutUndefined({ byRule }))
  }
  if (seoFilename !== null) recordName(db, sha256, languageCode, own(seoFilename, theirs.seoFilename), nowMs)
}

async function editTexts(
  { context, emit, fileWork }: EditDeps,
  { edits }: CheckedRequest<'jobs.editTexts'>,
): Promise<EngineResponse<'jobs.editTexts'>> {
  const { db } = context
  const edited = new Map<string, Edited>()
  const changed = durably(db, () => {
    const recorded = [...edits.keys()].filter((n) => recordIfSeen(context, edits[n]!, edited))
    for (const [sha256, { job, bytes }] of edited) assertRoom(db, job, sha256, bytes)
    return recorded
  })
  for (const { job } of edited.values()) emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview: 0 })
  const { whys, filesLeft } = await fileWork.run(() => bringTexts(context, edited))
  return { changed, unwritten: whys.length + filesLeft.length, why: whys[0] ?? null }
}

async function setDecorative(
  deps: EditDeps,
  { id, decorative, reviewed = decorative ? true : undefined }: CheckedRequest<'jobs.decorative'>,
): Promise<EngineResponse<'jobs.decorative'>> {
  const { context, emit } = deps
  const { store, db, clock } = context
  const job = found(store.getAny(id), id)
  if (job.image === null) throw new AppError('not_found', say('not_read_yet'))
  const { sha256 } = job.image
  const wasReviewed = reviewOf(db, job) === 'reviewed'
  const isReviewChanged = durably(db, () => {
    markStale(db, jobsOfContent(context, job, sha256))
    recordDecorative(db, sha256, decorative, clock.nowMs())
    return reviewed !== undefined && markReviewed(db, id, reviewed)
  })
  const toReview = !isReviewChanged || removedAt(db, id) !== null ? 0 : reviewed === true ? -1 : 1
  emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview })
  return { ...(await bringWords(deps, job, sha256)), wasReviewed }
}

function setEarlierText(
  { context, emit }: EditDeps,
  { id, languageCode, altText }: CheckedRequest<'jobs.earlierText'>,
): void {
  const { store, db, clock } = context
  const job = store.getAny(id)
  if (job?.image == null) throw new AppError('not_found', say('picture_gone'))
  const { sha256 } = job.image
  durably(db, () => keepEarlierText(db, { sha256, languageCode }, altText, clock.nowMs()))
  emit({ type: 'job', job: viewOf(db, job), from: job.state, toReview: 0 })
}

/** By content. Sidecars first, then all results in one pass. */
async function bringTexts(context: QueueContext, edited: Iterable<[sha256: string, { job: Job }]>) {
  const paths = new Set<string>()
  const whys: Sentence[] = []
  for (const [sha256, { job }] of edited) {
    for (const { source } of jobsOfContent(context, job, sha256)) paths.add(source.path)
    const why = await writeEdits(context, job, sha256).catch((error: unknown) => toAppError(error).sentence)
    if (why !== null) whys.push(why)
  }
  return { whys, filesLeft: await refreshTexts(context, [...paths]) }
}

/** A picture whose texts are edited, and what its edits took before. */
interface Edited {
  job: Job
  bytes: number
}

/** False where the text is another by now. */
function recordIfSeen(
  context: QueueContext,
  { id, languageCode, altText, seoFilename, byRule }: CheckedRequest<'jobs.editTexts'>['edits'][number],
  edited: Map<string, Edited>,
): boolean {
  const { store, db } = context
  const job = store.getAny(id)
  const theirs = job === null ? null : writable(job, languageCode)
  if (job?.image == null || theirs === null) return false
  const now = wordsOf(db, job).texts.find((known) => known.languageCode === languageCode)
  if (altText !== null && (now?.altText ?? '') !== altText.seen) return false
  if (seoFilename !== null && (now?.seoFilename ?? '') !== seoFilename.seen) return false
  const { sha256 } = job.image
  if (!edited.has(sha256)) edited.set(sha256, { job, bytes: editedBytes(db, sha256) })
  const words = { languageCode, altText: altText?.to ?? null, seoFilename: seoFilename?.to ?? null, byRule }
  recordWords(context, job, sha256, theirs, words)
  return true
}

const unpack = promisify(gunzip)

/** Texts that were sent, or those of a file. Throws `bad_request` if they cannot be read or are too large. */
async function readImport({
  data,
  isPacked,
  file,
}: Pick<CheckedRequest<'jobs.matchTexts'>, 'data' | 'isPacked' | 'file'>): Promise<Uint8Array> {
  const stats = file === null ? null : await stat(file).catch(() => null)
  if (file !== null && stats?.isFile() !== true) throw new AppError('bad_request', say('path_missing', { path: file }))
  const tooLarge = () => new AppError('bad_request', say('import_too_large', { most: MAX_TEXTS_BYTES / 1_000_000 }))
  if (stats !== null && stats.size > MAX_TEXTS_BYTES) throw tooLarge()
  try {
    if (file !== null) return await readFile(file)
    const sent = Buffer.from(data ?? '', 'base64')
    return isPacked ? await unpack(sent, { maxOutputLength: MAX_TEXTS_BYTES }) : sent
  } catch (cause) {
    if (errorCode(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new AppError('bad_request', say('import_unreadable', { why: raw(String(cause)) }), { cause })
  }
}
