import i18next, { type InitOptions } from 'i18next'
import type { Settings } from '../../shared/settings.ts'
import { shell as german } from '../../shared/text/de/shell.ts'
import { shell as english } from '../../shared/text/en/shell.ts'

export type TextLanguage = 'en' | 'de'

/** The words that a shell shows outside the page, in the language that is set now. */
export interface Texts {
  /** A key of `src/shared/text/en/shell.ts`, such as `menu.quit`; `count` chooses the plural. */
  readonly text: (key: string, values?: Record<string, string | number>) => string
  /** Sizes as people say them: `41 MB`. */
  readonly size: (bytes: number) => string
  readonly language: TextLanguage
  setLanguage(chosen: Settings['appearance']['language']): void
}

/** `locale` is the system's, as BCP 47; whatever is not German reads English. */
export function createTexts(locale: string, chosen: Settings['appearance']['language']): Texts {
  const languageOf = (wanted: typeof chosen): TextLanguage =>
    wanted === 'system' ? (/^de\b/i.test(locale) ? 'de' : 'en') : wanted
  let language = languageOf(chosen)
  const options: InitOptions = {
    lng: language,
    fallbackLng: 'en',
    resources: { en: { shell: english }, de: { shell: german } },
    defaultNS: 'shell',
    // Menus and notifications are plain text.
    interpolation: { escapeValue: false },
    initAsync: false,
  }
  // With a callback it is ready at once.
  const words = i18next.createInstance(options, (error: unknown) => {
    if (error !== null && error !== undefined) throw new Error('the words could not be loaded', { cause: error })
  })
  return {
    text: (key, values = {}) => words.t(key, { ...values, lng: language, defaultValue: key }),
    size: (bytes) => sizeText(bytes, language),
    get language() {
      return language
    },
    setLanguage: (wanted) => {
      language = languageOf(wanted)
    },
  }
}

function sizeText(bytes: number, language: TextLanguage): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = bytes < 1000 ? 0 : bytes < 1e6 ? 1 : bytes < 1e9 ? 2 : 3
  const figure = bytes / 1000 ** step
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: figure < 10 && step > 0 ? 1 : 0,
  })
    .format(figure)
    .replace('kB', 'KB')
}
