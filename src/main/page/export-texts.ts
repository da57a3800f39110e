import { basename, dirname, extname, relative, sep } from 'node:path'
import type { ExportFormat, ExportProfile } from '../../shared/contract/texts.ts'
import { BYTE_ORDER_MARK, exportJobs, type ExportedJob } from '../../shared/presentation/export-jobs.ts'
import { altText } from '../../shared/presentation/markup.ts'
import { MAX_PROFILE_CHARS, profileTable } from '../../shared/presentation/profile-table.ts'
import type { Translation } from '../../shared/presentation/xliff.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { isInside } from '../files/real-path.ts'

export interface ExportWishes {
  format: ExportFormat
  /** A table for the import of another program, instead of one with all that is known. */
  profile?: ExportProfile | undefined
  /** Only these; all without it. */
  languages?: readonly string[] | undefined
  /** For XLIFF. */
  from?: string | undefined
  to?: string | undefined
  /** Where the files in `root` and below it can be had; `baseUrl` is a `folderAddress`. */
  published?: { baseUrl: string; root: string } | undefined
}

/**
 * The document that was asked for. `tooLong`: alt texts that are longer than the program with this profile takes. Throws `bad_request` for a
 * language that no picture has, for several where one is needed, and for a file that is not in the published folder.
 */
export function exportTexts(
  all: readonly ExportedJob[],
  { format, profile, languages, from, to, published }: ExportWishes,
  byteOrderMark: boolean,
): { text: string; tooLong: number } {
  const known = languagesOf(all)
  const unknown = languages?.find((code) => !known.includes(code))
  if (unknown !== undefined) throw noText(unknown, known)
  const jobs = all.map((job) => ({
    ...job,
    ...(languages === undefined ? {} : { texts: job.texts.filter((text) => languages.includes(text.languageCode)) }),
    ...(published === undefined ? {} : { addressOf: (path: string) => addressOf(path, published) }),
  }))
  if (profile !== undefined && published !== undefined) {
    const language = onlyOne(languages ?? known)
    const pictures = jobs.map((job) => ({ job, product: productOf(job.path, published.root) }))
    const most = MAX_PROFILE_CHARS[profile] ?? Infinity
    const tooLong = jobs.filter((job) => altText(job, language).length > most).length
    return { text: `${byteOrderMark ? BYTE_ORDER_MARK : ''}${profileTable(profile, pictures, language)}`, tooLong }
  }
  const translation = format === 'xliff' ? translationIn(languagesOf(jobs), from, to) : undefined
  return { text: exportJobs(format, jobs, { byteOrderMark, translation }), tooLong: 0 }
}

/** The languages of what is more than decoration, in alphabetical order. */
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
  const missing = [from, to].find((code) => code !== undefined && !known.includes(code))
  if (missing !== undefined) throw noText(missing, known)
  const others = known.filter((code) => code !== to)
  const first = from ?? (others.includes('en') ? 'en' : others[0])
  if (first === undefined || first === to) throw noText(from ?? '', others)
  return { from: first, to: to ?? null }
}

const listed = (codes: readonly string[]) => (codes.length === 0 ? '–' : codes.join(', '))

const noText = (language: string, known: readonly string[]) =>
  new AppError('bad_request', say('export_no_language', { language, languages: listed(known) }))

/** The innermost folder that holds all files which an export names; null where there is none, as on two drives. */
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

/** A product has a folder; a picture without one is a product by itself. */
function productOf(path: string, root: string): string {
  const dir = dirname(path)
  return relative(root, dir) === '' ? basename(path, extname(path)) : basename(dir)
}
