import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { STRAIGHT_VALUES } from '../../shared/text/safe-characters.ts'
import { SOURCE_LANGUAGE, type TextLanguage } from '../../shared/text/text-language.ts'
import { LATER_TEXTS } from './later-texts.ts'
import type { Texts } from './text-types.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts
  }
}

const CATALOGUES = import.meta.glob<object>(['../../shared/text/*/*.json', '!../../shared/text/*/shell.json'], {
  import: 'default',
})
const FOLDER = '../../shared/text'

/** Those of `LATER_TEXTS` that are shown. */
const wanted = new Set<string>()

/**
 * Loads the texts of a language, and those of English where these do not come. Throws when there are none at all: then nothing can
 * be shown.
 */
export async function startTexts(language: TextLanguage): Promise<void> {
  await i18next.use(initReactI18next).init({
    fallbackLng: false,
    defaultNS: 'common',
    resources: {},
    interpolation: STRAIGHT_VALUES,
  })
  await changeLanguage(language).catch(() => changeLanguage(SOURCE_LANGUAGE))
}

/** Loads a part of the page together with the texts that only such parts use. */
export async function withTexts<Part>(part: Promise<Part>, ...names: (keyof Texts)[]): Promise<Part> {
  await wantTexts(...names)
  return part
}

/** Resolves once the texts are there in the language of the window, and keeps them there when that changes. */
export async function wantTexts(...names: (keyof Texts)[]): Promise<void> {
  for (const name of names) wanted.add(name)
  // The language may change meanwhile.
  while (missingIn(i18next.language).length > 0) await load(i18next.language)
}

export async function changeLanguage(language: TextLanguage): Promise<void> {
  // A part may be loaded meanwhile.
  while (missingIn(language).length > 0) await load(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

async function load(language: string): Promise<void> {
  const texts = await Promise.all(
    missingIn(language).map(async (name) => ({ name, words: await CATALOGUES[pathOf(language, name)]!() })),
  )
  for (const { name, words } of texts) i18next.addResourceBundle(language, name, words)
}

/** The catalogues that are to be there and are not. */
function missingIn(language: string): string[] {
  return Object.keys(CATALOGUES).flatMap((path) => {
    const name = /([^/]+)\.json$/.exec(path)![1]!
    const isWanted = path === pathOf(language, name) && (wanted.has(name) || !LATER_TEXTS.includes(name))
    return isWanted && !i18next.hasResourceBundle(language, name) ? [name] : []
  })
}

const pathOf = (language: string, name: string) => `${FOLDER}/${language}/${name}.json`
