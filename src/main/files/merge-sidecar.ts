import { EarlierWords, Sidecar, type SidecarEdit, type SidecarText } from '../../shared/jobs/sidecar.ts'

/** Earlier outputs beyond this many are dropped, to keep sidecars small. */
const MAX_OUTPUTS = 50
/** The same for those in the original's place. */
const MAX_IN_PLACE = 10

/**
 * What a person said stays with the content it was said about: for other content it moves to `earlier`, and what is there about it takes its
 * place. Earlier outputs stay listed: they may still be there, and other computers recognise them as outputs by this list.
 */
export function mergeSidecar(old: Sidecar, made: Sidecar): Sidecar {
  return withResult(old.source.sha256 === made.source.sha256 ? old : ofContent(old, made), made)
}

/** Keeps unknown members, texts that a person edited, and texts in languages not requested this time. */
function withResult(old: Sidecar, made: Sidecar): Sidecar {
  const before = new Map(old.translations.map((text) => [text.languageCode, text]))
  const asked = made.translations.map((text) => {
    const earlier = before.get(text.languageCode)
    before.delete(text.languageCode)
    return {
      ...text,
      ...(earlier !== undefined && isPersons(text) ? filled(text, earlier) : {}),
      ...(earlier?.edited === true
        ? { seoAltText: earlier.seoAltText, edited: true, byRule: earlier.byRule || undefined }
        : {}),
      ...(earlier?.nameEdited === true ? { seoFilename: earlier.seoFilename, nameEdited: true } : {}),
    }
  })
  const names = new Set(made.outputs.map(({ name }) => name))
  const hashes = new Set(made.outputs.map(({ sha256 }) => sha256))
  const inPlace = old.outputs
    .filter(({ name, sha256 }) => names.has(name) && name === made.source.name && !hashes.has(sha256))
    .slice(-MAX_IN_PLACE)
  const earlierOutputs = old.outputs.filter(({ name }) => !names.has(name))
  return {
    ...old,
    ...made,
    translations: [...asked, ...before.values()],
    outputs: [...inPlace, ...made.outputs, ...earlierOutputs].slice(0, MAX_OUTPUTS),
  }
}

/** The sidecar as if it had always been about the content of `made`. */
function ofContent(old: Sidecar, made: Sidecar): Sidecar {
  const { sha256 } = made.source
  const words = wordsIn(old)
  const there = old.earlier?.find((entry) => entry.sha256 === sha256)
  const others = (old.earlier ?? []).filter((entry) => entry !== there && entry.sha256 !== old.source.sha256)
  const earlier = words === null ? others : [words, ...others]
  return {
    ...made,
    ...membersOfOthers(there ?? {}),
    translations: there?.translations ?? [],
    decorative: there?.decorative || undefined,
    outputs: old.outputs.map(({ of = old.source.sha256, ...output }) => (of === sha256 ? output : { ...output, of })),
    earlier: earlier.length === 0 ? undefined : earlier,
  }
}

const isPersons = (text: SidecarText) => (text.edited === true && text.byRule !== true) || text.nameEdited === true

/** A person's own text may be the alt text alone, beside a name that the service gave for an earlier recipe, or the other way round. */
const filled = (text: SidecarText, earlier: SidecarText) => ({
  seoFilename: text.seoFilename || earlier.seoFilename,
  seoAltText: text.seoAltText || earlier.seoAltText,
})

/** What a person or another program put into a sidecar: edited texts, the mark of decoration, unknown members. Null for nothing. */
function wordsIn(sidecar: Sidecar): EarlierWords | null {
  const { source, translations, decorative } = sidecar
  const edited = translations.filter(isPersons)
  const others = membersOfOthers(sidecar)
  if (edited.length === 0 && decorative !== true && Object.keys(others).length === 0) return null
  return { ...others, sha256: source.sha256, translations: edited, decorative: decorative || undefined }
}

const membersOfOthers = (entry: object): object =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([key]) => !Object.hasOwn(Sidecar.shape, key) && !Object.hasOwn(EarlierWords.shape, key),
    ),
  )

/** The sidecar with what a person edited, and everything else unchanged. */
export function withEdit(sidecar: Sidecar, edit: SidecarEdit): Sidecar {
  return {
    ...sidecar,
    translations: textsAfter(sidecar.translations, edit),
    outputs: outputsAfter(sidecar.outputs, edit),
    decorative: (edit.decorative ?? sidecar.decorative) || undefined,
  }
}

function textsAfter(
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
  const [{ seoAltText, edited, byRule }, { seoFilename, nameEdited }] =
    only === 'altText' ? [text, there] : [there, text]
  return { ...text, seoAltText, seoFilename, edited, byRule, nameEdited }
}

/** Adds no output that the sidecar does not already list, unless under another name. */
function outputsAfter(outputs: Sidecar['outputs'], { rewritten, renamed }: SidecarEdit): Sidecar['outputs'] {
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
