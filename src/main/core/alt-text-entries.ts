import type { AltText, EmbeddedTexts } from '../../shared/jobs/job.ts'
import type { SidecarText } from '../../shared/jobs/sidecar.ts'

/** The entry for readers that do not ask for a language. */
const DEFAULT = 'x-default'

const baseOf = ({ language }: AltText): string => language.toLowerCase().split('-')[0] ?? ''

/**
 * The alt texts that a file carries, by language, the default first. For each language a person's edit takes precedence over the original's
 * text, and that over the service's; the default is that of the original, else in the recipe's first language. A decorative picture carries
 * only the original's.
 */
export function altTextEntries(
  texts: readonly SidecarText[],
  { own, withheld }: EmbeddedTexts,
  { first, isDecorative }: { first: string; isDecorative: boolean },
): AltText[] {
  const wanted = isDecorative ? [] : texts.filter(({ seoAltText }) => seoAltText.trim() !== '')
  const isPersons = ({ edited, byRule }: SidecarText) => edited === true && byRule !== true
  const edited = new Set(wanted.filter(isPersons).map(({ languageCode }) => languageCode))
  const kept = own.filter((text) => !edited.has(baseOf(text)) && !edited.has(text.language.toLowerCase()))
  const has = new Set(kept.map(baseOf))
  const given = wanted
    .filter(
      ({ languageCode }) => edited.has(languageCode) || !(withheld.includes(languageCode) || has.has(languageCode)),
    )
    .map(({ languageCode, seoAltText }): AltText => ({ language: languageCode, text: seoAltText.trim() }))
  const named = [...given, ...kept.filter(({ language }) => language !== DEFAULT)]
  const ofFirst = named.find((text) => baseOf(text) === first)
  const ofOriginal = kept.find(({ language }) => language === DEFAULT)
  const byDefault = (edited.has(first) ? ofFirst : undefined) ?? ofOriginal ?? ofFirst ?? named[0]
  return byDefault === undefined ? [] : [{ language: DEFAULT, text: byDefault.text }, ...named]
}
