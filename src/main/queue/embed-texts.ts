import type { AltText, EmbeddedTexts, Job } from '../../shared/jobs/job.ts'
import { embedsTexts } from '../../shared/recipes/recipe-facts.ts'
import { wordsAbout, type SidecarText } from '../../shared/jobs/sidecar.ts'
import { altTextEntries } from '../core/alt-text-entries.ts'
import { failed } from '../core/transition.ts'
import type { QueueContext } from './context.ts'
import { isEarlierSidecar } from '../journal/outputs.ts'
import { isDecorative, editsOf, withEdits, type TextEdit } from '../journal/text-edits.ts'
import type { Placement } from './ports.ts'
import { stageFor, type Finishing, type Step } from './finishing.ts'

/** Stages each file again with the alt texts in it; null if the recipe does not ask for that. */
export async function embedTexts(context: QueueContext, work: Finishing): Promise<Step<{ texts: AltText[] | null }>> {
  const { files } = context
  const { job, place, staged, notes, signal } = work
  if (!embedsTexts(job.recipe) || staged.length === 0) return { stop: null, texts: null }
  const texts = await currentTexts(context, job, place)
  // Texts that a person edited are written whatever they contain.
  const serviceTexts = texts
    .filter(({ edited, byRule }) => edited !== true || byRule === true)
    .map(({ languageCode, seoAltText }): AltText => ({ language: languageCode, text: seoAltText }))
  const chosen = await files.pictures.chooseTexts(
    { bytes: work.bytes, metadata: job.recipe.metadata, texts: serviceTexts },
    signal,
  )
  signal.throwIfAborted()
  if (!chosen.ok) return { stop: failed('encode_failed', chosen.detail) }
  const entries = entriesFor(context, job, texts, chosen.chosen)
  const without = new Set<string>()
  for (const part of staged) {
    const made = await files.pictures.writeTexts({ bytes: await files.readStaged(part.file), texts: entries }, signal)
    signal.throwIfAborted()
    if (!made.ok) return { stop: failed('encode_failed', made.detail) }
    if (made.bytes === null) {
      without.add(part.role === 'optimized' ? 'optimized' : 'converted')
      continue
    }
    part.file = await stageFor(context, work, part.role, (sink) => sink(made.bytes), part.file.width)
    part.texts = chosen.chosen
  }
  const { own, withheld } = chosen.chosen
  if (withheld.length > 0) notes.push({ code: 'texts_withheld', detail: withheld.join(', ') })
  if (own.length > 0) notes.push({ code: 'own_alt_text_kept', detail: own.map(({ language }) => language).join(', ') })
  const [one] = without
  if (one !== undefined) notes.push({ code: 'texts_not_embedded', detail: without.size > 1 ? 'both' : one })
  return { stop: null, texts: entries }
}

export function entriesFor(
  { db }: QueueContext,
  { image, recipe }: Job,
  texts: readonly SidecarText[],
  chosen: EmbeddedTexts,
): AltText[] {
  const first = recipe.languages[0] ?? ''
  return altTextEntries(texts, chosen, { first, isDecorative: isDecorative(db, image?.sha256 ?? '') })
}

/**
 * The texts of a job in the order of its recipe. A person's edits in the sidecar take precedence over the journal's, except over
 * those not yet written to it.
 */
export async function currentTexts({ db, files }: QueueContext, job: Job, place: Placement): Promise<SidecarText[]> {
  const sha256 = job.image?.sha256 ?? ''
  const edits = editsOf(db, sha256)
  const sidecar = (await files.readSidecar(place, sha256, (path) => isEarlierSidecar(db, job, path)))?.sidecar
  const inSidecar = sidecar === undefined ? [] : wordsAbout(sidecar, sha256)
  const order = job.recipe.languages
  const positionOf = (code: string) => (order.includes(code) ? order.indexOf(code) : order.length)
  const texts = withEdits(job.result?.translations ?? [], edits)
  return [...texts, ...ownTexts(inSidecar, texts, edits)]
    .map((text) => {
      const edit = edits.find(({ languageCode }) => languageCode === text.languageCode)
      const isUnwritten = edit !== undefined && ['none', 'seoFilename'].includes(edit.written)
      const theirs = inSidecar.find(({ languageCode, edited }) => languageCode === text.languageCode && edited === true)
      if (isUnwritten || theirs === undefined) return text
      const { byRule: _byRule, ...rest } = text
      const { seoAltText, byRule } = theirs
      return { ...rest, seoAltText, edited: true, ...(byRule === true ? { byRule } : {}) }
    })
    .toSorted((a, b) => positionOf(a.languageCode) - positionOf(b.languageCode))
}

/** A person's texts in further languages that only the sidecar has, as another computer took them in. */
function ownTexts(
  inSidecar: readonly SidecarText[],
  known: readonly SidecarText[],
  edits: readonly TextEdit[],
): SidecarText[] {
  if (known.length === 0) return []
  const languages = new Set([...known, ...edits].map(({ languageCode }) => languageCode))
  return inSidecar.filter((text) => text.edited === true && text.byRule !== true && !languages.has(text.languageCode))
}
