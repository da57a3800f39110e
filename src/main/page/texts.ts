import i18next, { type InitOptions, type ResourceLanguage } from 'i18next'
import type { Settings } from '../../shared/settings/settings.ts'
import { sentenceText, type Sentence, type SentenceCode } from '../../shared/sentences/sentence.ts'
import { LANGUAGES } from '../../shared/text/languages.ts'
import { STRAIGHT_VALUES } from '../../shared/text/safe-characters.ts'
import { sizeText } from '../../shared/text/size-text.ts'
import { languageFor, SOURCE_LANGUAGE, type TextLanguage } from '../../shared/text/text-language.ts'

/**
 * The texts of shells, those they share with the page, and the sentences, in every language: they are small, and switching is immediate.
 */
const TEXTS = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(async (language) => {
      const [shell, common, sentences] = (await Promise.all([
        import(`../../shared/text/${language}/shell.json`, { with: { type: 'json' } }),
        import(`../../shared/text/${language}/common.json`, { with: { type: 'json' } }),
        import(`../../shared/text/${language}/sentences.json`, { with: { type: 'json' } }),
      ])) as [Catalogue, Catalogue, Catalogue<Record<SentenceCode, string>>]
      return [language, { shell: shell.default, common: common.default, sentences: sentences.default }] as const
    }),
  ),
)

interface Catalogue<Words = ResourceLanguage> {
  default: Words
}

/** What a shell shows outside the page, in the current language. */
export interface Texts {
  /** A key of `src/shared/text/en/shell.json`, such as `menu.quit`, or of `common:`; `count` chooses the plural. */
  readonly text: (key: string, values?: Record<string, string | number>) => string
  readonly sentence: (sentence: Sentence) => string
  /** `41 MB` */
  readonly size: (bytes: number) => string
  readonly language: TextLanguage
  setLanguage(chosen: Settings['appearance']['language']): void
}

/** `locale`: of the system, as BCP 47. */
export function createTexts(locale: string, chosen: Settings['appearance']['language']): Texts {
  let language = languageFor(chosen, locale)
  const options: InitOptions = {
    lng: language,
    fallbackLng: SOURCE_LANGUAGE,
    resources: TEXTS,
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
    sentence: (sentence) => sentenceText(sentence, TEXTS[language]!.sentences, language),
    size: (bytes) => sizeText(bytes, language),
    get language() {
      return language
    },
    setLanguage: (wanted) => {
      language = languageFor(wanted, locale)
    },
  }
}
