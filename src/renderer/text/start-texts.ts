import i18next, { type FormatterModule } from 'i18next'
import { useSyncExternalStore } from 'react'
import TEXTS from 'virtual:texts'
import { countText } from './figures.ts'
import { STRAIGHT_VALUES } from '../../shared/text/safe-characters.ts'
import { SOURCE_LANGUAGE, type TextLanguage } from '../../shared/text/text-language.ts'
import type { Texts } from './text-types.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts
  }
}

/** What is shown: what the page starts with, and some of `LATER_TEXTS`. */
const wanted = new Set(['start'])

/** Loads the texts of a language, else those of English. Throws when there are none at all. */
export async function startTexts(language: TextLanguage): Promise<void> {
  await i18next.use(FIGURES).init({
    fallbackLng: false,
    defaultNS: 'common',
    resources: {},
    interpolation: { ...STRAIGHT_VALUES, alwaysFormat: true },
  })
  await changeLanguage(language).catch(() => changeLanguage(SOURCE_LANGUAGE))
}

/** Figures within sentences are as people write them. */
const FIGURES: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown) => (typeof value === 'number' ? countText(value) : (value as string)),
}

/** Loads a part of the page together with the texts that only such parts use. */
export async function withTexts<Part>(part: Promise<Part>, ...names: (keyof Texts)[]): Promise<Part> {
  const [loaded] = await Promise.all([part, wantTexts(...names)])
  return loaded
}

/** Resolves once the texts are there in the language of the window, and keeps them there when that changes. */
export async function wantTexts(...names: (keyof Texts)[]): Promise<void> {
  for (const name of names) wanted.add(name)
  // The language may change meanwhile.
  while (missingIn(i18next.language).length > 0) await load(i18next.language)
}

let askedLast: TextLanguage | null = null

/** Does nothing any more once another language is asked for. */
export async function changeLanguage(language: TextLanguage): Promise<void> {
  askedLast = language
  // A part may be loaded meanwhile.
  while (missingIn(language).length > 0) await load(language)
  if (askedLast !== language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** The language of the window. With it everything has to be drawn again, since texts are read where they are drawn. */
export function useLanguage(): string {
  return useSyncExternalStore(onLanguage, () => i18next.language)
}

function onLanguage(listener: () => void): () => void {
  i18next.on('languageChanged', listener)
  return () => i18next.off('languageChanged', listener)
}

async function load(language: string): Promise<void> {
  const parts = await Promise.all(
    missingIn(language).map(async (name) => ({ name, words: await TEXTS[language]![name]!() })),
  )
  for (const { name, words } of parts)
    for (const [catalogue, all] of name === 'start' ? Object.entries(words) : [[name, words.default] as const])
      i18next.addResourceBundle(language, catalogue, all)
}

/** What is to be there and is not. */
function missingIn(language: string): string[] {
  return [...wanted].filter((name) => !i18next.hasResourceBundle(language, name === 'start' ? 'common' : name))
}
