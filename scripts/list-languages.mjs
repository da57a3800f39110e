/**
 * Writes src/shared/text/languages.ts, the list of the languages of the window, from the folders beside it. A build does
 * this first, so that a folder is all that a new language needs; `npm run check` fails while list and folders differ.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root } from './project.mjs'

export const TEXT_DIR = path.join(root, 'src', 'shared', 'text')

/** The list for the languages in `dir`, as the text of the file. */
export function languageList(dir) {
  const names = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `'${name}'`)
    .sort()
  return `/** The folders here, as scripts/list-languages.mjs found them: a language is added by adding its folder. */
export const LANGUAGES = [${names.join(', ')}] as const
`
}

/** Touches the file only where it changes: a build goes by its time. */
export function writeLanguageList(dir = TEXT_DIR) {
  const file = path.join(dir, 'languages.ts')
  const list = languageList(dir)
  if (readFileSync(file, 'utf8') !== list) writeFileSync(file, list)
}

if (process.argv[1] === import.meta.filename) writeLanguageList()
