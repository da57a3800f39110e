import { AppError } from '../../shared/errors.ts'
import { ownSentence } from '../../shared/own-sentences.ts'
import { MAX_SIDECAR_BYTES, type Sidecar, type SidecarEdit } from '../../shared/sidecar.ts'
import { findSidecar, MAX_TRIES, replaceSidecar } from './sidecar-file.ts'

/** `missing`: there is no sidecar of this source; `other`: there is one about other content. */
export type EditOutcome = 'written' | 'missing' | 'other'

/**
 * Puts what a person changed into the sidecar of a source, and leaves everything else in it as it is. Never
 * creates one. Whole at every moment. Throws the `AppError`s of `stageFile`, `unreadable`, and `name_taken`
 * when something else keeps writing it.
 */
export async function editSidecarFile(request: {
  rootDir: string
  targetDir: string
  jobId: string
  sourceName: string
  sha256: string
  edit: SidecarEdit
}): Promise<EditOutcome> {
  const { rootDir, targetDir, sourceName, sha256, edit } = request
  const isEmpty = edit.texts.length === 0 && edit.decorative === null
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const known = await findSidecar(targetDir, sourceName, rootDir)
    if (known === null) return 'missing'
    if (known.sidecar.source.sha256 !== sha256) return 'other'
    const edited = withEdit(known.sidecar, edit)
    const bytes = Buffer.from(`${JSON.stringify(edited, null, 2)}\n`)
    if (bytes.byteLength > MAX_SIDECAR_BYTES)
      throw new AppError('bad_request', ownSentence('sidecar_too_large', { name: known.name }))
    const job = { ...request, sidecar: edited, modeFrom: known.path }
    if (isEmpty || (await replaceSidecar(job, bytes, known)) !== null) return 'written'
  }
  throw new AppError('name_taken', ownSentence('sidecar_keeps_changing', { name: sourceName }))
}

function withEdit({ decorative: before, ...sidecar }: Sidecar, { texts, decorative }: SidecarEdit): Sidecar {
  const byLanguage = new Map(sidecar.translations.map((text) => [text.languageCode, text]))
  for (const text of texts) byLanguage.set(text.languageCode, text)
  const isDecorative = decorative ?? before
  return {
    ...sidecar,
    translations: [...byLanguage.values()],
    ...(isDecorative === true ? { decorative: true } : {}),
  }
}
