import { basename } from 'node:path'
import { toAppError } from '../../shared/sentences/errors.ts'
import type { Job, Translation } from '../../shared/jobs/job.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { QueueContext } from './context.ts'
import {
  blankText,
  decorativeMark,
  decorativeWritten,
  editsOf,
  editsWritten,
  unwrittenContents,
  withEdits,
  type TextEdit,
} from '../journal/text-edits.ts'
import { jobsWithContent, paidJobsWithContent } from '../journal/job-ids.ts'
import type { Db } from '../journal/journal.ts'

/** Max files with the same content that get a person's texts at once. */
const MAX_TWINS = 200

/**
 * Writes a person's unwritten texts and decorative mark into the sidecars of all pictures with this content. Null when all have them;
 * otherwise why not. Throws the errors of writing; what could not be written waits for `writeLateEdits`.
 */
export async function writeEdits(context: QueueContext, job: Job, sha256: string): Promise<Sentence | null> {
  const failures: Sentence[] = []
  for (const twin of twinsOf(context, job, sha256)) {
    const name = basename(twin.source.path)
    await editOne(context, twin, sha256).catch((error: unknown) =>
      failures.push(say('twin_without_words', { name, why: toAppError(error).sentence })),
    )
  }
  const { outcome, edits, decorative } = await editOne(context, job, sha256)
  if (outcome !== 'written') return WHY_NOT[outcome]
  if (failures.length > 0) return failures[0]!
  editsWritten(context.db, sha256, edits)
  if (decorative !== null) decorativeWritten(context.db, sha256, decorative)
  return null
}

/** Writes what some sidecar may still lack, as when a drive was not there. What fails waits for the next time. */
export async function writeLateEdits(context: QueueContext, signal: AbortSignal): Promise<void> {
  const { db, store, log } = context
  for (const sha256 of unwrittenContents(db)) {
    if (signal.aborted) return
    const job = jobsWithContent(db, sha256)
      .flatMap((id) => store.get(id) ?? [])
      .find(({ result }) => result !== null)
    if (job === undefined) continue
    await writeEdits(context, job, sha256).catch((error: unknown) =>
      log.warn('a sidecar could not be given its texts', { job: job.id, error: toAppError(error).message }),
    )
  }
}

/** Writes a person's unwritten texts and mark into one sidecar; `edits` and `decorative` are what was written. */
async function editOne(context: QueueContext, job: Job, sha256: string) {
  let edits: TextEdit[] = []
  let decorative: boolean | null = null
  const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, null)
  // Read when it is this write's turn: a later edit is followed by its own write.
  const outcome = await context.files.editSidecar(place, job.id, sha256, () => {
    edits = editsOf(context.db, sha256).filter(({ written }) => written !== 'all')
    const serviceTexts = edits.map(({ languageCode }) => serviceText(context, job, sha256, languageCode))
    const isGone = ({ altText, seoFilename }: TextEdit, n: number) =>
      serviceTexts[n] === null && altText === null && seoFilename === null
    const removed = edits.filter(isGone).map(({ languageCode }) => languageCode)
    const texts = edits.flatMap((edit, n) => (isGone(edit, n) ? [] : [serviceTexts[n] ?? blankText(edit.languageCode)]))
    const mark = decorativeMark(context.db, sha256)
    decorative = mark === null || mark.written ? null : mark.decorative
    return {
      texts: withEdits(texts, edits).map((text) => ({ ...text, ...unwrittenPart(text, edits) })),
      removed,
      decorative,
    }
  })
  return { outcome, edits, decorative }
}

/** What the service wrote in this language, for this job or another of the same content. */
function serviceText(context: QueueContext, job: Job, sha256: string, languageCode: string): Translation | null {
  const textOf = ({ result }: Job) => result?.translations.find((text) => text.languageCode === languageCode)
  return (
    textOf(job) ??
    jobsOfContent(context, job, sha256)
      .map(textOf)
      .find((text) => text !== undefined) ??
    null
  )
}

/** The part of a text that was edited since the sidecar had it; the other may have been edited there. */
function unwrittenPart({ languageCode }: { languageCode: string }, edits: readonly TextEdit[]) {
  const written = edits.find((edit) => edit.languageCode === languageCode)?.written
  if (written === 'altText') return { only: 'seoFilename' } as const
  return written === 'seoFilename' ? ({ only: 'altText' } as const) : {}
}

/** Every job of this content with texts of the same service, including this one, newest first. */
export function jobsOfContent({ db, store }: QueueContext, { serviceId }: Job, sha256: string): Job[] {
  return paidJobsWithContent(db, serviceId, sha256, MAX_TWINS).flatMap((id) => store.get(id) ?? [])
}

/** Other files with this content, each once with its newest job. */
function twinsOf(context: QueueContext, job: Job, sha256: string): Job[] {
  const paths = new Set([job.source.path])
  return jobsOfContent(context, job, sha256).filter(({ source, result }) => {
    if (result === null || paths.has(source.path)) return false
    paths.add(source.path)
    return true
  })
}

const WHY_NOT = {
  missing: say('sidecar_missing'),
  other: say('sidecar_of_other'),
} as const

/** Whether edits of a person are not in the sidecar yet, as far as this journal knows. */
export function hasUnwritten(db: Db, sha256: string): boolean {
  return editsOf(db, sha256).some(({ written }) => written !== 'all') || decorativeMark(db, sha256)?.written === false
}
