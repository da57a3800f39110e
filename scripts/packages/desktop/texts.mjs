/** What menus and software centres say of Hangar, from the catalogues of the window. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { TEXT_DIR } from '../../list-languages.mjs'

/** English first, which stands for every language that is not there. */
export const LANGUAGES = readdirSync(TEXT_DIR, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted((one, other) => Number(other === 'en') - Number(one === 'en') || (one < other ? -1 : 1))

const read = (language, name) => JSON.parse(readFileSync(path.join(TEXT_DIR, language, `${name}.json`), 'utf8'))

/** `[language, text]` for each language; `choose` gets the texts of entry.json and of common.json. */
export function inEachLanguage(choose) {
  return LANGUAGES.map((language) => [language, choose(read(language, 'entry'), read(language, 'common'))])
}
