import { LANGUAGES } from './languages.ts'

/** A language of the window, the menus and the notifications: the name of its folder here, a BCP 47 tag. */
export type TextLanguage = (typeof LANGUAGES)[number]

/** The language that the code was written with, and that everything falls back to. */
export const SOURCE_LANGUAGE = 'en' satisfies TextLanguage

export function isTextLanguage(tag: unknown): tag is TextLanguage {
  return (LANGUAGES as readonly unknown[]).includes(tag)
}

/** The language for a choice of the settings and the system's own (BCP 47). */
export function languageFor(chosen: 'system' | TextLanguage, locale: string): TextLanguage {
  return chosen === 'system' ? firstLanguageOf([locale]) : chosen
}

/** The first of these BCP 47 tags, the most wanted first, that there are texts for: `fr-CA` is content with `fr`. */
export function firstLanguageOf(tags: readonly string[]): TextLanguage {
  for (const tag of tags) {
    const parts = tag.toLowerCase().split('-')
    for (let length = parts.length; length > 0; length -= 1) {
      const wanted = parts.slice(0, length).join('-')
      const found = LANGUAGES.find((language) => language.toLowerCase() === wanted)
      if (found !== undefined) return found
    }
  }
  return SOURCE_LANGUAGE
}

/** What a language calls itself, as it stands at the beginning of a line: `Français`. */
export function ownLanguageName(language: TextLanguage): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return `${name.slice(0, 1).toLocaleUpperCase(language)}${name.slice(1)}`
}
