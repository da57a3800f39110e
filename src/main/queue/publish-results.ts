import { basename } from 'node:path'
import type { Extra, Output } from '../../shared/jobs/job.ts'
import { MAX_NOTE_CHARS, SIDECAR_SUFFIX, SIDECAR_VERSION } from '../../shared/jobs/sidecar.ts'
import type { Sidecar, SidecarText } from '../../shared/jobs/sidecar.ts'
import type { Note } from '../../shared/sentences/reasons.ts'
import { collisionKey } from '../core/naming.ts'
import { losesExtras, notesOnExtras } from '../core/lost-extras.ts'
import { recordOf, shapeOf, type ShapedRole } from '../core/output-shape.ts'
import { listedName } from '../core/result-name.ts'
import { wantedTexts } from '../core/wanted-texts.ts'
import { wantsReplace } from '../core/plan-work.ts'
import { isDecorative, editsOf, keepEarlierText, withEdits } from '../journal/text-edits.ts'
import { durably } from '../journal/journal.ts'
import { findOutput, forgetOutput, isEarlierSidecar } from '../journal/outputs.ts'
import { held, skipped } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import type { Finishing, StagedOutput, Step } from './finishing.ts'
import { notesOnRules } from './rule-texts.ts'
import { hasUnwritten, writeEdits } from './write-edits.ts'

/** Before a name is taken, journal and sidecar record what will be there: an output must not be mistaken for a picture. */
export async function publishAll(context: QueueContext, work: Finishing): Promise<Step> {
  const { job, place } = work
  addTranslationNotes(context, work)
  if (work.plan.send === 'process' || work.plan.send === 'analyze') work.notes.push(...notesOnRules(context, job))
  const replacesOriginal = replaces(work)
  work.notes.push(
    ...notesOnExtras({ ...work, staged: comparedFiles(work), wantsReplace: wantsReplace(job), replacesOriginal }),
  )
  if (work.staged.length === 0) await writeSidecar(context, work)
  for (const { role, type, file, texts, width, height } of inOrder(work.staged, replacesOriginal)) {
    const size = width === undefined || height === undefined ? {} : { width, height }
    const planned = (path: string): Output => ({
      role,
      path,
      sha256: file.sha256,
      sizeBytes: file.sizeBytes,
      type,
      state: 'planned',
      ...size,
      ...(texts === undefined ? {} : { texts }),
    })
    const isThis = (output: Output) => output.role === role && (role !== 'variant' || output.width === width)
    const onPlanned = async (path: string) => {
      // A name taken at the last moment by another file is no longer planned.
      for (const earlier of work.outputs.filter(isThis)) forgetOutput(context.db, earlier.path)
      work.outputs = [...work.outputs.filter((output) => !isThis(output)), planned(path)]
      work.job = context.store.apply(job.id, { type: 'planned', output: planned(path) })
      await writeSidecar(context, work)
    }
    if (role === 'optimized' && replacesOriginal) {
      const outcome = await context.files.replaceOriginal(place, file, work.image, onPlanned)
      if (typeof outcome === 'object') return { stop: held('not_replaceable', outcome.refused) }
      if (outcome === 'changed') return { stop: skipped('source_changed') }
    } else {
      const isOwn = async (path: string) => {
        const known = findOutput(context.db, path)
        if (known !== null) return (await isOfThisPicture(context, work, known)) ? known.sha256 : null
        const listed = await context.files.listedOutputs(place.targetDir)
        // A sidecar is trusted only to say that these exact bytes are there already.
        return listed.byName.get(listedName(place.targetDir, path) ?? '') === file.sha256 ? file.sha256 : null
      }
      await context.files.publish(place, file, role, type as Exclude<Output['type'], 'json'>, isOwn, onPlanned)
    }
  }
  work.outputs = work.outputs.map((output) => ({ ...output, state: 'published' as const }))
  return { stop: null }
}

/** The picture may have had another spelling of its name. */
async function isOfThisPicture(
  { store, files }: QueueContext,
  { job, image }: Finishing,
  { sourcePath, jobId }: { sourcePath: string; jobId: string },
): Promise<boolean> {
  if (sourcePath === job.source.path) return true
  return store.get(jobId)?.image?.sha256 === image.sha256 && files.isRespelled(sourcePath, job.source.path)
}

/** The files that are compared with the original. Where only narrower ones were kept, the first stands for the converted file. */
function comparedFiles({ kept, staged }: Finishing): { role: 'optimized' | 'converted'; extras: readonly Extra[] }[] {
  const ofRole = (wanted: StagedOutput['role']) => staged.find(({ role }) => role === wanted)
  const optimized = kept ?? ofRole('optimized')
  const converted = ofRole('converted') ?? ofRole('variant')
  return [
    ...(optimized === undefined ? [] : [{ role: 'optimized' as const, extras: optimized.extras }]),
    ...(converted === undefined ? [] : [{ role: 'converted' as const, extras: converted.extras }]),
  ]
}

/** The original is replaced last: once it is, nothing remains that could fail. */
function inOrder(staged: readonly StagedOutput[], replacesOriginal: boolean): readonly StagedOutput[] {
  if (!replacesOriginal) return staged
  const isReplacement = ({ role }: StagedOutput) => role === 'optimized'
  return [...staged.filter((part) => !isReplacement(part)), ...staged.filter(isReplacement)]
}

/** Only if no extras of the original are lost, or the recipe has `replaceLosesExtras`. */
function replaces({ job, image, staged, losses }: Finishing): boolean {
  const optimized = staged.find(({ role }) => role === 'optimized')
  const losesNothing = optimized === undefined || (losses.length === 0 && !losesExtras(image.extras, optimized.extras))
  return wantsReplace(job) && (losesNothing || job.recipe.replaceLosesExtras)
}

function addTranslationNotes(context: QueueContext, work: Finishing): void {
  if (work.plan.send !== 'process' && work.plan.send !== 'analyze') return
  const texts = withEdits(work.job.result?.translations ?? [], editsOf(context.db, work.image.sha256))
  const there = new Set(texts.map((text) => text.languageCode))
  const missing = work.job.recipe.languages.filter((language) => !there.has(language))
  if (missing.length > 0) work.notes.push({ code: 'translation_missing', detail: missing.join(', ') })
}

async function writeSidecar(context: QueueContext, work: Finishing): Promise<void> {
  const { job, place } = work
  const make = (): Sidecar => ({
    hangar: SIDECAR_VERSION,
    source: { name: basename(job.source.path), sha256: work.image.sha256, sizeBytes: job.source.sizeBytes },
    service: { id: job.serviceId, jobId: job.remoteJobId, imageId: job.result?.imageId ?? null },
    recipe: recordOf(job.recipe, work.plan),
    translations: withEdits(
      wantedTexts(job.result?.translations ?? [], job.recipe.languages),
      editsOf(context.db, work.image.sha256),
    ),
    ...(isDecorative(context.db, work.image.sha256) ? { decorative: true } : {}),
    outputs: work.outputs
      .filter((output) => output.role !== 'sidecar' && listedName(place.targetDir, output.path) !== null)
      .map(({ role, path, sha256, sizeBytes, type, width, height }) => ({
        role: role === 'optimized' ? 'optimized' : 'converted',
        name: listedName(place.targetDir, path) ?? '',
        sha256,
        sizeBytes,
        type: type as Exclude<Output['type'], 'json'>,
        ...(width === undefined || height === undefined ? {} : { width, height }),
        made: shapeOf(job.recipe, role as ShapedRole, width),
      })),
    notes: work.notes.map(({ code, detail }) =>
      (detail === null ? code : `${code}: ${detail}`).slice(0, MAX_NOTE_CHARS),
    ),
    madeAt: new Date(context.clock.nowMs()).toISOString(),
  })
  const { hasEarlierWords, setAside, ...written } = await context.files.writeSidecar(place, job.id, make, (path) =>
    isEarlierSidecar(context.db, job, path),
  )
  offer(context, work.image.sha256, setAside)
  if (hasEarlierWords) addNote(work, { code: 'earlier_words_kept', detail: basename(written.path) })
  // The existing sidecar takes precedence over older edits, but not over edits that were never written to it.
  if (hasUnwritten(context.db, work.image.sha256)) await writeEdits(context, job, work.image.sha256)
  const usual = `${basename(job.source.path)}${SIDECAR_SUFFIX}`
  if (collisionKey(basename(written.path)) !== collisionKey(usual))
    addNote(work, { code: 'sidecar_name_taken', detail: basename(written.path) })
  const output: Output = { role: 'sidecar', type: 'json', state: 'planned', ...written }
  work.outputs = [...work.outputs.filter((known) => known.role !== 'sidecar'), output]
}

function addNote({ notes }: Finishing, note: Note): void {
  if (!notes.some(({ code }) => code === note.code)) notes.push(note)
}

/** A person's texts about the picture that had this name before are not taken over, but offered. */
function offer({ db, clock }: QueueContext, sha256: string, texts: readonly SidecarText[]): void {
  const edited = texts.filter((text) => text.edited === true && text.byRule !== true)
  if (edited.length === 0) return
  durably(db, () => {
    for (const { languageCode, seoAltText } of edited)
      keepEarlierText(db, { sha256, languageCode }, seoAltText, clock.nowMs())
  })
}
