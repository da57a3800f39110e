import type { Sidecar } from '../../shared/sidecar.ts'

/** More earlier outputs than this are forgotten: a sidecar stays small. */
const MAX_OUTPUTS = 50

/**
 * What a sidecar becomes when its picture is done again. Members that Hangar does not know stay. A text that a person
 * edited stays, and so do texts in languages that were not asked for this time. Earlier outputs under other names stay
 * listed: they may still be in the folder, and the list is how other computers know them for outputs.
 */
export function mergeSidecar(old: Sidecar, made: Sidecar): Sidecar {
  const before = new Map(old.translations.map((text) => [text.languageCode, text]))
  const asked = made.translations.map((text) => {
    const earlier = before.get(text.languageCode)
    before.delete(text.languageCode)
    return earlier?.edited === true ? { ...text, seoAltText: earlier.seoAltText, edited: true } : text
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
