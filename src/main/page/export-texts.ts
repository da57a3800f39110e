import { basename, dirname, extname, relative, sep } from 'node:path'
import type { ExportFormat, ExportProfile, TextView } from '../../shared/contract/texts.ts'
import { BYTE_ORDER_MARK, exportJobs, type ExportedJob } from '../../shared/presentation/export-jobs.ts'
import { altText } from '../../shared/presentation/markup.ts'
import { MAX_PROFILE_CHARS, productKey, profileTable } from '../../shared/presentation/profile-table.ts'
import { isTranslatable, type Translation } from '../../shared/presentation/xliff.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { isInside } from '../files/real-path.ts'

export interface ExportWishes {
  format: ExportFormat
  /** A table for the import of another program. */
  profile?: ExportProfile | undefined
  /** All without it. XLIFF has `from` and `to` instead. */
  languages?: readonly string[] | undefined
  from?: string | undefined
  to?: string | undefined
  /** Where the files in `root` and below it can be had; `baseUrl` is a `folderAddress`. */
  published?: { baseUrl: string; root: string } | undefined
}

interface ExportedDocument {
  text: string
  /** Alt texts that are longer than the program takes. */
  tooLong: number
  /** Pictures without a text in the language, or with a name that the document cannot hold. */
  leftOut: number
}

/**
 * A `profile` is always a table. What a translator fills in may have a language that no picture has a text in. Throws `bad_request` for
 * such a language elsewhere, for several where one is needed, for files that are not published, and for products that could not be told
 * apart.
 */
export function exportTexts(
  all: readonly ExportedJob[],
  { format, profile, languages, from, to, published }: ExportWishes,
  byteOrderMark: boolean,
): ExportedDocument {
  const known = languagesOf(all)
  const isForTranslators = profile === undefined && (format === 'csv' || format === 'json')
  const unknown = [...(isForTranslators ? [] : (languages ?? [])), from].find(
    (code) => code !== undefined && !known.includes(code),
  )
  if (unknown !== undefined) throw noText(unknown, known)
  const textsOf = ({ texts }: ExportedJob): TextView[] => {
    if (languages === undefined) return texts
    const chosen = texts.filter(({ languageCode }) => languages.includes(languageCode))
    const has = (code: string) => chosen.some(({ languageCode }) => languageCode === code)
    return isForTranslators ? [...chosen, ...languages.filter((code) => !has(code)).map(blankView)] : chosen
  }
  const jobs = all.map((job) => ({
    ...job,
    texts: textsOf(job),
    ...(published === undefined ? {} : { addressOf: (path: string) => addressOf(path, published) }),
  }))
  if (profile !== undefined) {
    if (published === undefined) throw new AppError('bad_request', say('export_address'))
    return profileDocument(
      jobs,
      { profile, language: onlyOne(languages ?? known), root: published.root },
      byteOrderMark,
    )
  }
  if (format !== 'xliff') return { text: exportJobs(format, jobs, { byteOrderMark }), tooLong: 0, leftOut: 0 }
  const translation = translationIn(known, from, to)
  const translatable = all.filter((job) => isTranslatable(job, translation.from))
  if (translatable.length === 0) throw noText(translation.from, known)
  return {
    text: exportJobs(format, translatable, { translation }),
    tooLong: 0,
    leftOut: all.length - translatable.length,
  }
}

function profileDocument(
  jobs: readonly ExportedJob[],
  { profile, language, root }: { profile: ExportProfile; language: string; root: string },
  byteOrderMark: boolean,
): ExportedDocument {
  const shown = jobs.filter(
    ({ decorative, texts }) => decorative || texts.some(({ languageCode }) => languageCode === language),
  )
  if (profile !== 'wordpress') refuseMixedProducts(profile, shown, root)
  const pictures = shown.map((job) => ({ job, product: productOf(job.path, root).name }))
  const most = MAX_PROFILE_CHARS[profile] ?? Infinity
  return {
    text: `${byteOrderMark ? BYTE_ORDER_MARK : ''}${profileTable(profile, pictures, language)}`,
    tooLong: shown.filter((job) => altText(job, language).length > most).length,
    leftOut: jobs.length - shown.length,
  }
}

/** A shop would show the pictures of one product with another. */
function refuseMixedProducts(profile: ExportProfile, jobs: readonly ExportedJob[], root: string): void {
  const places = new Map<string, string>()
  for (const { path } of jobs) {
    const { place, name } = productOf(path, root)
    const key = productKey(profile, name)
    if (key === '') throw new AppError('bad_request', say('export_no_product', { path: place }))
    const other = places.get(key) ?? place
    if (other !== place) throw new AppError('bad_request', say('export_same_product', { path: place, other }))
    places.set(key, place)
  }
}

/** Of all but decoration, in alphabetical order. */
export function languagesOf(jobs: readonly ExportedJob[]): string[] {
  const codes = jobs.flatMap(({ texts, decorative }) =>
    decorative ? [] : texts.map(({ languageCode }) => languageCode),
  )
  return [...new Set(codes)].sort()
}

function onlyOne(languages: readonly string[]): string {
  const [language, ...more] = languages
  if (language === undefined || more.length > 0)
    throw new AppError('bad_request', say('export_one_language', { languages: listed(languages) }))
  return language
}

/** From English where it is there. */
function translationIn(known: readonly string[], from: string | undefined, to: string | undefined): Translation {
  const others = known.filter((code) => code !== to)
  const first = from ?? (others.includes('en') ? 'en' : others[0])
  if (first === undefined || first === to) throw new AppError('bad_request', say('export_same_language'))
  return { from: first, to: to ?? null }
}

const blankView = (languageCode: string): TextView => ({
  languageCode,
  seoFilename: '',
  originalName: null,
  altText: '',
  original: null,
})

const listed = (codes: readonly string[]) => (codes.length === 0 ? '–' : codes.join(', '))

const noText = (language: string, known: readonly string[]) =>
  new AppError('bad_request', say('export_no_language', { language, languages: listed(known) }))

/** The innermost folder with all files that an export names; null if there is none, as on two drives. */
export function folderOfFiles(jobs: readonly ExportedJob[]): string | null {
  const folders = jobs.flatMap(({ path, outputs }) => {
    const written = outputs.filter(({ role, state }) => role !== 'sidecar' && state === 'published')
    return (written.length === 0 ? [path] : written.map((output) => output.path)).map((file) => dirname(file))
  })
  let [common] = folders
  if (common === undefined) return null
  for (const folder of folders)
    while (!isInside(common, folder)) {
      const above = dirname(common)
      if (above === common) return null
      common = above
    }
  return common
}

function addressOf(path: string, { baseUrl, root }: { baseUrl: string; root: string }): string {
  if (!isInside(root, path)) throw new AppError('bad_request', say('export_outside', { path, folder: root }))
  const way = relative(root, path).split(sep)
  return `${baseUrl}${way.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}`
}

/** A picture directly in the root is a product by itself. */
function productOf(path: string, root: string): { place: string; name: string } {
  const dir = dirname(path)
  return relative(root, dir) === ''
    ? { place: path, name: basename(path, extname(path)) }
    : { place: dir, name: basename(dir) }
}
