import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { baseMapLicenses, makeBaseMap } from './scripts/base-map.mjs'
import { LATER_TEXTS } from './src/renderer/text/later-texts.ts'
import { LANGUAGES } from './src/shared/text/languages.ts'
import { PAGE_CALL_NAMES } from './src/shared/contract/calls.ts'

/** Each becomes `out/main/<name>.js`: the shells, and the programs that the engine starts as children. */
const MAIN_ENTRIES = {
  index: 'src/main/index.ts',
  cli: 'src/main/cli.ts',
  'image-worker': 'src/main/image-worker.ts',
  'keychain-probe': 'src/main/secrets/keychain-probe.ts',
  practice: 'src/practice/main.ts',
}

/** The licences of the packages that are bundled, whose authors ask that they go along. */
const LICENSES = { fileName: 'licenses.md' }

const root = import.meta.dirname
const TEXTS = path.join(root, 'src/shared/text')

/**
 * `virtual:texts`, which src/renderer/text/start-texts.ts loads: for each language the catalogues that the page starts with, as one module, and each of
 * `LATER_TEXTS`.
 */
const texts = {
  name: 'texts',
  resolveId: (id: string) => (id.startsWith('virtual:texts') ? `\0${id}` : null),
  load(id: string) {
    if (id === '\0virtual:texts') return `export default {${LANGUAGES.map(textsOf).join()}}`
    const [, language] = /^\0virtual:texts\/(.+)$/.exec(id) ?? []
    return language === undefined ? null : startCatalogues(language)
  },
}

function textsOf(language: string): string {
  const later = LATER_TEXTS.map(
    (name) => `${name}: () => import(${quoted(path.join(TEXTS, language, `${name}.json`))})`,
  )
  return `${quoted(language)}: {start: () => import(${quoted(`virtual:texts/${language}`)}), ${later.join()}}`
}

function startCatalogues(language: string): string {
  const names = readdirSync(path.join(TEXTS, language)).map((file) => path.basename(file, '.json'))
  return names
    .filter((name) => name !== 'shell' && !LATER_TEXTS.includes(name))
    .map((name) => `export { default as ${name} } from ${quoted(path.join(TEXTS, language, `${name}.json`))}\n`)
    .join('')
}

/** In a module a path has slashes on every system. */
const quoted = (text: string) => JSON.stringify(text.replaceAll('\\', '/'))

/** The texts of a language, and those of it that only a part of the page needs, are found by their names. */
function chunkName({ facadeModuleId }: { facadeModuleId: string | null }): string {
  const [, language, name] = /\/shared\/text\/([^/]+)\/([^/]+)\.json$/.exec(facadeModuleId ?? '') ?? []
  return `assets/${language === undefined ? '[name]' : `${language}-${name!}`}-[hash].js`
}

/** `virtual:base-map`: the address of the base map, which the page asks for when it shows chargers. */
const baseMap = {
  name: 'base-map',
  resolveId: (id: string) => (id === 'virtual:base-map' ? `\0${id}` : null),
  load(this: { emitFile: (file: object) => string }, id: string) {
    if (id !== '\0virtual:base-map') return null
    const said = `# The base map: made of data of Natural Earth, which is in the public domain\n\n${baseMapLicenses()}`
    this.emitFile({ type: 'asset', fileName: 'base-map-licenses.md', source: said })
    const file = this.emitFile({ type: 'asset', name: 'base-map.json', source: JSON.stringify(makeBaseMap()) })
    return `export default import.meta.ROLLUP_FILE_URL_${file}`
  },
}

/** What the page says in every language where its scripts do not come. */
const notLoadedWords = {
  name: 'not-loaded-words',
  transformIndexHtml: (html: string) =>
    html.replace('<!-- not loaded -->', () => LANGUAGES.map((tag) => notLoadedIn(tag)).join('')),
}

function notLoadedIn(tag: string): string {
  const texts = readFileSync(path.join(root, `src/shared/text/${tag}/shell.json`), 'utf8')
  return `<p class="not-loaded" lang="${tag}">${(JSON.parse(texts) as { notLoaded: string }).notLoaded}</p>`
}

const present = Object.entries(MAIN_ENTRIES).filter(([, file]) => existsSync(path.join(root, file)))

export default defineConfig({
  main: {
    build: {
      // What is under `dependencies` stays in node_modules, since it brings native binaries. The rest is bundled: a command
      // loads a few files instead of hundreds.
      externalizeDeps: true,
      license: LICENSES,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(present),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // Flat, so that `import.meta.dirname` is out/main in every chunk: children are started from there.
          chunkFileNames: '[name]-[hash].js',
          // What explains the source need not be read at each start.
          comments: { jsdoc: false },
        },
      },
    },
  },
  preload: {
    // The names alone: the schemas that the contract is made of stay out of it.
    define: { __PAGE_CALL_NAMES__: JSON.stringify(PAGE_CALL_NAMES) },
    build: {
      // A sandboxed preload can load nothing but electron: everything else is bundled, as CommonJS.
      externalizeDeps: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: '[name].cjs' } },
    },
  },
  renderer: {
    plugins: [react(), texts, baseMap, notLoadedWords],
    build: {
      minify: true,
      license: LICENSES,
      rolldownOptions: {
        output: {
          chunkFileNames: chunkName,
          codeSplitting: {
            // One for all that the page starts with, rather than one for each part of it that a place needs too.
            groups: [{ name: 'page', tags: ['$initial'] }],
          },
        },
      },
    },
  },
})
