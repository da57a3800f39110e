import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { english } from './english.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: typeof english
  }
}

export type Language = 'en' | 'de'

/** English is always there, as what the code was written with; German is fetched when it is wanted. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    resources: { en: english },
    // React escapes already.
    interpolation: { escapeValue: false },
  })
}

export async function changeLanguage(language: Language): Promise<void> {
  if (language === 'de' && !i18next.hasResourceBundle('de', 'common')) {
    const { german } = await import('./german.ts')
    for (const [name, texts] of Object.entries(german)) i18next.addResourceBundle('de', name, texts)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** The language to use for a choice of the settings and the system's own (BCP 47). */
export function languageFor(chosen: 'system' | Language, locale: string): Language {
  if (chosen !== 'system') return chosen
  return locale.toLowerCase().startsWith('de') ? 'de' : 'en'
}
