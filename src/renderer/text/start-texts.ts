import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { SOURCE_LANGUAGE, type TextLanguage } from '../../shared/text/text-language.ts'
import type credits from '../../shared/text/en/credits.json'
import type chargers from '../../shared/text/en/chargers.json'
import { english } from './english.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: typeof english & { chargers: typeof chargers; credits: typeof credits }
  }
}

/** Every other language that has a folder, fetched when it is wanted. */
const CATALOGUES = import.meta.glob<object>(
  ['../../shared/text/*/*.json', '!../../shared/text/en/*', '!../../shared/text/*/shell.json'],
  { import: 'default' },
)

/** English is always there, as what the code was written with. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: SOURCE_LANGUAGE,
    fallbackLng: SOURCE_LANGUAGE,
    defaultNS: 'common',
    resources: { [SOURCE_LANGUAGE]: english },
    // React escapes already.
    interpolation: { escapeValue: false },
  })
}

const LATER = {
  chargers: () => import('../../shared/text/en/chargers.json'),
  credits: () => import('../../shared/text/en/credits.json'),
}

/** Loads a place together with the English texts that only it uses. */
export async function withTexts<Place>(name: keyof typeof LATER, place: Promise<Place>): Promise<Place> {
  const { default: texts } = await LATER[name]()
  i18next.addResourceBundle(SOURCE_LANGUAGE, name, texts)
  return place
}

export async function changeLanguage(language: TextLanguage): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'common')) {
    const texts = await cataloguesOf(language)
    for (const [name, words] of texts) i18next.addResourceBundle(language, name, words)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

function cataloguesOf(language: TextLanguage): Promise<[name: string, texts: object][]> {
  return Promise.all(
    Object.entries(CATALOGUES).flatMap(([path, load]) => {
      const [, folder, name] = /([^/]+)\/([^/]+)\.json$/.exec(path)!
      return folder === language ? [load().then((texts): [string, object] => [name!, texts])] : []
    }),
  )
}
