import i18next, { type InitOptions, type ResourceLanguage } from 'i18next'
import type { Settings } from '../../shared/settings/settings.ts'
import { sentenceText, type Sentence, type SentenceCode } from '../../shared/sentences/sentence.ts'
import { LANGUAGES } from '../../shared/text/languages.ts'
import { STRAIGHT_VALUES } from '../../shared/text/safe-characters.ts'
import { sizeText } from '../../shared/text/size-text.ts'
import { languageFor, SOURCE_LANGUAGE, type TextLanguage } from '../../shared/text/text-language.ts'

/** A catalogue in every language: these are small, and switching languages is immediate. */
async function inEveryLanguage<Words>(load: (language: TextLanguage) => Promise<Words>) {
  const loaded = LANGUAGES.map(async (language) => [language, await load(language)] as const)
  return Object.fromEntries(await Promise.all(loaded)) as Record<TextLanguage, Words>
}

const SHELL_TEXTS = await inEveryLanguage(async (language) => {
  const file = (await import(`../../shared/text/${language}/shell.json`, { with: { type: 'json' } })) as object
  return { shell: (file as { default: ResourceLanguage }).default }
})

/** The sentences of failures. */
const SENTENCES = await inEveryLanguage(async (language) => {
  const file = (await import(`../../shared/text/${language}/sentences.json`, { with: { type: 'json' } })) as object
  return (file as { default: Record<SentenceCode, string> }).default
})

/** The texts that a shell shows outside the page, in the current language. */
export interface Texts {
  /** A key of `src/shared/text/en/shell.json`, such as `menu.quit`; `count` chooses the plural. */
  readonly text: (key: string, values?: Record<string, string | number>) => string
  readonly sentence: (sentence: Sentence) => string
  /** Human-readable sizes: `41 MB`. */
  readonly size: (bytes: number) => string
  readonly language: TextLanguage
  setLanguage(chosen: Settings['appearance']['language']): void
}

/** `locale` is the system's, as BCP 47; falls back to English if there are no texts for it. */
export function createTexts(locale: string, chosen: Settings['appearance']['language']): Texts {
  let language = languageFor(chosen, locale)
  const options: InitOptions = {
    lng: language,
    fallbackLng: SOURCE_LANGUAGE,
    resources: SHELL_TEXTS,
    defaultNS: 'shell',
    interpolation: STRAIGHT_VALUES,
    initAsync: false,
  }
  // With a callback it is ready synchronously.
  const words = i18next.createInstance(options, (error: unknown) => {
    if (error !== null && error !== undefined) throw new Error('the words could not be loaded', { cause: error })
  })
  return {
    text: (key, values = {}) => words.t(key, { ...values, lng: language, defaultValue: key }),
    sentence: (sentence) => sentenceText(sentence, SENTENCES[language], language),
    size: (bytes) => sizeText(bytes, language),
    get language() {
      return language
    },
    setLanguage: (wanted) => {
      language = languageFor(wanted, locale)
    },
  }
}
