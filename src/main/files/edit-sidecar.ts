import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { Sidecar, SidecarEdit, SidecarText } from '../../shared/jobs/sidecar.ts'
import {
  findSidecars,
  MAX_TRIES,
  putSidecar,
  serializeSidecar,
  sidecarOf,
  type SidecarsBefore,
} from './sidecar-file.ts'

/** `missing`: no picture of this name has a sidecar; `other`: only other content has. */
type EditOutcome = 'written' | 'missing' | 'other'

/**
 * Applies a person's edits to the sidecar of a source and leaves everything else in it unchanged. Never creates one.
 * The write is atomic. Throws the `AppError`s of `stageFile`, `unreadable`, and `name_taken` when another program keeps
 * writing it.
 */
export async function editSidecarFile(request: {
  rootDir: string
  targetDir: string
  jobId: string
  sourceName: string
  sha256: string
  edit: SidecarEdit
  before?: SidecarsBefore
}): Promise<EditOutcome> {
  const { rootDir, targetDir, sourceName, sha256, edit, before } = request
  const isEmpty =
    edit.texts.length === 0 && !edit.removed?.length && edit.decorative === null && !edit.rewritten && !edit.renamed
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const found = await findSidecars(targetDir, sourceName, rootDir, before)
    const known = sidecarOf(found, sha256)
    if (known === null) return found.length === 0 ? 'missing' : 'other'
    const edited = withEdit(known.sidecar, edit)
    const bytes = serializeSidecar([edited])
    if (bytes === null) throw new AppError('bad_request', say('sidecar_too_large', { name: known.name }))
    const job = { ...request, sidecar: edited, accessFrom: known.path }
    if (isEmpty || (await putSidecar(job, bytes, known)) !== null) return 'written'
  }
  throw new AppError('name_taken', say('sidecar_keeps_changing', { name: sourceName }))
}

function withEdit({ decorative: before, ...sidecar }: Sidecar, edit: SidecarEdit): Sidecar {
  const isDecorative = edit.decorative ?? before
  return {
    ...sidecar,
    translations: textsAfter(sidecar.translations, edit),
    outputs: outputsAfter(sidecar.outputs, edit),
    ...(isDecorative === true ? { decorative: true } : {}),
  }
}

export function textsAfter(
  before: readonly SidecarText[],
  { texts, removed = [] }: Pick<SidecarEdit, 'texts' | 'removed'>,
): SidecarText[] {
  const byLanguage = new Map(before.map((text) => [text.languageCode, text]))
  for (const languageCode of removed) byLanguage.delete(languageCode)
  for (const { only, ...text } of texts) {
    const there = byLanguage.get(text.languageCode)
    const isPart = only !== undefined && there !== undefined
    byLanguage.set(text.languageCode, isPart ? withPart(there, text, only) : withRest(text, there))
  }
  return [...byLanguage.values()]
}

/** A person's own text may be one part alone, beside the other that the service wrote for an earlier recipe. */
function withRest(text: SidecarText, there: SidecarText | undefined): SidecarText {
  return {
    ...text,
    seoAltText: text.seoAltText || (there?.edited === true ? '' : (there?.seoAltText ?? '')),
    seoFilename: text.seoFilename || (there?.nameEdited === true ? '' : (there?.seoFilename ?? '')),
  }
}

/** The other part may have been edited by another program. */
function withPart(there: SidecarText, text: SidecarText, only: 'altText' | 'seoFilename'): SidecarText {
  const { edited: _edited, byRule: _byRule, nameEdited: _nameEdited, ...rest } = text
  const [{ seoAltText, edited, byRule }, { seoFilename, nameEdited }] =
    only === 'altText' ? [text, there] : [there, text]
  return {
    ...rest,
    seoAltText,
    seoFilename,
    ...(edited === undefined ? {} : { edited }),
    ...(byRule === undefined ? {} : { byRule }),
    ...(nameEdited === undefined ? {} : { nameEdited }),
  }
}

/** Adds no output that the sidecar does not already list, unless under another name. */
export function outputsAfter(outputs: Sidecar['outputs'], { rewritten, renamed }: SidecarEdit): Sidecar['outputs'] {
  const after = rewritten === undefined ? outputs : withRewritten(outputs, rewritten)
  return renamed === undefined ? after : withRenamed(after, renamed)
}

function withRenamed(
  outputs: Sidecar['outputs'],
  { from, to, sha256, keeps }: NonNullable<SidecarEdit['renamed']>,
): Sidecar['outputs'] {
  const before = outputs.findLast((output) => output.name === from && output.sha256 === sha256)
  const others = outputs.filter(({ name }) => name !== to && (keeps || name !== from))
  const known = before ?? outputs.findLast((output) => output.name === to && output.sha256 === sha256)
  return known === undefined ? outputs : [...others, { ...known, name: to }]
}

function withRewritten(
  outputs: Sidecar['outputs'],
  { name, sha256, sizeBytes, beside }: NonNullable<SidecarEdit['rewritten']>,
): Sidecar['outputs'] {
  const before = outputs.findLast((output) => output.name === name)
  if (before === undefined) return outputs
  const after = { ...before, sha256, sizeBytes }
  const others = outputs.filter((output) => output.name !== name || (beside && output.sha256 !== sha256))
  return [...others, after]
}
