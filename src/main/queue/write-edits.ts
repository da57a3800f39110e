import { basename } from 'node:path'
import { toAppError } from '../../shared/errors.ts'
import type { Job } from '../../shared/job.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import type { QueueContext } from './context.ts'
import { decorativeMark, decorativeWritten } from './decorative.ts'
import { type Db, prepared } from './journal.ts'
import { editsOf, editsWritten, withEdits, type TextEdit } from './text-edits.ts'

/** In how many places the same content gets a person's words at once. */
const MOST_TWINS = 200

/**
 * Brings a person's texts and mark of this picture into its sidecar, where they are not there yet. Null when the sidecar has them;
 * else why not, in words. Throws the `AppError`s of writing; then the texts stay in the journal and wait.
 */
export async function writeEdits(context: QueueContext, job: Job, sha256: string): Promise<string | null> {
  const { outcome, edits, decorative } = await editOne(context, job, sha256)
  if (outcome === 'written') {
    editsWritten(context.db, sha256, edits)
    if (decorative !== null) decorativeWritten(context.db, sha256, decorative)
    return null
  }
  return WHY_NOT[outcome]
}

/** Like `writeEdits`, and into the sidecars of all other pictures with this content, whose texts they are as well. */
export async function writeEditsToAll(context: QueueContext, job: Job, sha256: string): Promise<string | null> {
  const failures: string[] = []
  for (const twin of twinsOf(context, job, sha256)) {
    const name = basename(twin.source.path)
    await editOne(context, twin, sha256).catch((error: unknown) =>
      failures.push(ownSentence('twin_without_words', { name, why: toAppError(error).message })),
    )
  }
  // Last, because from then on the journal has them as written.
  return (await writeEdits(context, job, sha256)) ?? failures[0] ?? null
}

async function editOne(context: QueueContext, job: Job, sha256: string) {
  let edits: TextEdit[] = []
  let decorative: boolean | null = null
  const place = context.files.place(job.source.path, job.rootDir, job.recipe.output, null)
  // Read when it is this write's turn: a later edit has its own write after this one.
  const outcome = await context.files.editSidecar(place, job.id, sha256, () => {
    edits = editsOf(context.db, sha256).filter(({ written }) => !written)
    const wanted = new Set(edits.map(({ languageCode }) => languageCode))
    const texts = (job.result?.translations ?? []).filter(({ languageCode }) => wanted.has(languageCode))
    edits = edits.filter((edit) => texts.some(({ languageCode }) => languageCode === edit.languageCode))
    const mark = decorativeMark(context.db, sha256)
    decorative = mark === null || mark.written ? null : mark.decorative
    return { texts: withEdits(texts, edits), decorative }
  })
  return { outcome, edits, decorative }
}

/** Other files with this content that have texts of the same service; each file once, by its newest job. */
function twinsOf({ db, store }: QueueContext, { serviceId, source }: Job, sha256: string): Job[] {
  const content = `${serviceId}|${sha256}`
  // What follows the hash in a paid key begins with "|" or "+", and "}" comes after both.
  const sql = 'SELECT id FROM jobs WHERE paid_key >= ? AND paid_key < ? ORDER BY id DESC LIMIT ?'
  const ids = prepared<[string, string, number], string>(db, sql).pluck(true).all(content, `${content}}`, MOST_TWINS)
  const paths = new Set([source.path])
  return ids.flatMap((id) => {
    const twin = store.get(id)
    if (twin === null || twin.result === null || paths.has(twin.source.path)) return []
    paths.add(twin.source.path)
    return [twin]
  })
}

const WHY_NOT = {
  missing: ownSentence('sidecar_missing'),
  other: ownSentence('sidecar_of_other'),
} as const

/** Something of a person's is not in the sidecar yet, as far as this journal knows. */
export function hasUnwritten(db: Db, sha256: string): boolean {
  return editsOf(db, sha256).some(({ written }) => !written) || decorativeMark(db, sha256)?.written === false
}
