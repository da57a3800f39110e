/** The files of the unpacked desktop app that belong into a package for Linux. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { NAME } from './menu-entry.mjs'
import { LANGUAGES } from './texts.mjs'

/** Chromium's own texts: the languages of Hangar. electron-builder takes es-419 for Spanish as well. */
const LOCALES = LANGUAGES.map((language) => (language === 'en' ? 'en-US' : language))
const PROGRAMS = [NAME, 'chrome-sandbox', 'chrome_crashpad_handler', 'resources/node']

/** Entries (`archive.mjs`) with names from the app's folder. `withSetuid`: Chromium's sandbox helper is owned by root. */
export function appFiles(folder, { withSetuid = false } = {}) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file, name: path.relative(folder, file).split(path.sep).join('/') }))
    .filter(({ name }) => isNeeded(name))
    .map(({ file, name }) => ({
      name,
      file,
      isProgram: PROGRAMS.includes(name),
      isSetuid: withSetuid && name === 'chrome-sandbox',
    }))
}

function isNeeded(name) {
  const locale = /^locales\/(.+)\.pak$/.exec(name)?.[1]
  return locale === undefined || LOCALES.includes(locale)
}
