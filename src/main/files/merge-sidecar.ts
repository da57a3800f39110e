import type { Sidecar } from '../../shared/jobs/sidecar.ts'

/** Earlier outputs beyond this many are dropped, to keep sidecars small. */
const MAX_OUTPUTS = 50

/**
 * Merges a new result into an existing sidecar. Keeps unknown members, texts that a person edited, and texts in
 * languages not requested this time. Earlier outputs under other names stay listed: they may still be in the folder,
 * and other computers recognise them as outputs by this list.
 */
export function mergeSidecar(old: Sidecar, made: Sidecar): Sidecar {
  const before = new Map(old.translations.map((text) => [text.languageCode, text]))
  const asked = made.translations.map((text) => {
    const earlier = before.get(text.languageCode)
    before.delete(text.languageCode)
    return {
      ...text,
      ...(earlier?.edited === true ? { seoAltText: earlier.seoAltText, edited: true } : {}),
      ...(earlier?.nameEdited === true ? { seoFilename: earlier.seoFilename, nameEdited: true } : {}),
    }
  })
  const names = new Set(made.outputs.map(({ name }) => name))
  const earlierOutputs = old.outputs.filter(({ name }) => !names.has(name))
  return {
    ...old,
    ...made,
    translations: [...asked, ...before.values()],
    outputs: [...made.outputs, ...earlierOutputs].slice(0, MAX_OUTPUTS),
  }
}
