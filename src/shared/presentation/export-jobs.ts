import { jsonText, markupText, plainText } from '../text/safe-characters.ts'
import { csvTable } from '../text/csv-cell.ts'
import { altText, imgMarkup, pictureMarkup, plainAddress, srcsetText, type MarkupSource } from './markup.ts'
import { noteText } from '../sentences/reason-text.ts'
import type { JobDetail } from '../contract/jobs.ts'
import { ExportFormat } from '../contract/texts.ts'
import { xliffOf, type Translation } from './xliff.ts'

/** The facts of a job that an export contains. */
export type ExportedJob = MarkupSource & Pick<JobDetail, 'notes'>

/** What a file of each format is called and how it is served. */
export const EXPORT_FILES: Record<ExportFormat, { endings: readonly [string, ...string[]]; type: string }> = {
  csv: { endings: ['csv'], type: 'text/csv; charset=utf-8' },
  json: { endings: ['json'], type: 'application/json; charset=utf-8' },
  html: { endings: ['html', 'htm'], type: 'text/html; charset=utf-8' },
  markdown: { endings: ['md', 'markdown'], type: 'text/markdown; charset=utf-8' },
  xliff: { endings: ['xlf', 'xliff'], type: 'application/xliff+xml; charset=utf-8' },
}

/** The format of a file by the end of its name, or none. */
export function formatOfFile(name: string): ExportFormat | null {
  const ending = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  return ExportFormat.options.find((format) => EXPORT_FILES[format].endings.some((one) => one === ending)) ?? null
}

/** A table or document of these jobs, for a person to save. Pure: the same jobs give the same text. `translation` is for XLIFF. */
export function exportJobs(
  format: ExportFormat,
  jobs: readonly ExportedJob[],
  { byteOrderMark = true, translation = { from: 'en', to: null } }: ExportChoices = {},
): string {
  switch (format) {
    case 'csv':
      return `${byteOrderMark ? BYTE_ORDER_MARK : ''}${csvOf(jobs)}`
    case 'json':
      return `${jsonText(jobs.map(plainJob), 2)}\n`
    case 'html':
      return htmlOf(jobs)
    case 'markdown':
      return markdownOf(jobs)
    case 'xliff':
      return xliffOf(jobs, translation)
  }
}

interface ExportChoices {
  byteOrderMark?: boolean
  translation?: Translation | undefined
}

/** Without it, spreadsheets assume another encoding. */
export const BYTE_ORDER_MARK = '\ufeff'

const FIXED_COLUMNS = [
  'file',
  'folder',
  'state',
  'reason',
  'width',
  'height',
  'bytes',
  'optimized_bytes',
  'converted_bytes',
  'optimized_file',
  'converted_file',
]

/** RFC 4180 with CRLF. `sha256`: of the original, so that texts come back to this picture whatever it is called by then. */
function csvOf(jobs: readonly ExportedJob[]): string {
  const languages = [...new Set(jobs.flatMap(({ texts }) => texts.map(({ languageCode }) => languageCode)))].sort()
  const header = [
    ...FIXED_COLUMNS,
    ...languages.flatMap((code) => [`alt_${code}`, `seo_name_${code}`]),
    'decorative',
    'srcset',
    'notes',
    'sha256',
  ]
  const lines = jobs.map((job) => {
    const { row } = job
    const fixed = [
      row.name,
      row.dir,
      row.state,
      row.reason?.code ?? '',
      row.width,
      row.height,
      row.sizeBytes,
      row.optimizedBytes,
      row.convertedBytes,
      nameOf(job, 'optimized'),
      nameOf(job, 'converted'),
    ]
    const texts = languages.flatMap((code) => {
      const text = job.texts.find(({ languageCode }) => languageCode === code)
      return [job.decorative ? '' : (text?.altText ?? ''), text?.seoFilename ?? '']
    })
    const notes = job.notes.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`)).join('; ')
    return [...fixed, ...texts, job.decorative ? 'yes' : '', srcsetText(job), notes, job.image?.sha256 ?? '']
  })
  return csvTable([header, ...lines])
}

function plainJob(job: ExportedJob): object {
  const { row, path, image, texts, decorative, notes, outputs } = job
  const { state, reason, sizeBytes, createdAtMs, updatedAtMs } = row
  return {
    path,
    state,
    reason,
    sizeBytes,
    image,
    decorative,
    texts: texts.map(exportedText),
    notes,
    outputs: outputs
      .filter((output) => output.state === 'published')
      .map(({ role, path: file, sizeBytes: bytes, type, width, height }) => ({
        role,
        path: file,
        sizeBytes: bytes,
        type,
        ...(width === undefined ? {} : { width, height }),
      })),
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  }
}

/** A text of a picture, for programs. */
export function exportedText({ languageCode, altText, seoFilename, original }: ExportedJob['texts'][number]) {
  return { languageCode, altText, seoFilename, edited: original !== null }
}

/** For each picture and language, an image to paste into a page in Markdown (CommonMark 0.31, "Images"). */
function markdownOf(jobs: readonly ExportedJob[]): string {
  return jobs
    .map((job) => {
      const languages =
        job.texts.length === 0 || job.decorative ? [''] : job.texts.map(({ languageCode }) => languageCode)
      const images = languages.map((code) => {
        const image = `![${markdownText(altText(job, code))}](${markdownAddress(plainAddress(job))})`
        return code === '' ? image : `${code}: ${image}`
      })
      return [`## ${markdownText(job.row.name)}`, ...images].map((block) => `${block}\n`).join('\n')
    })
    .join('\n')
}

const markdownAddress = (address: string) =>
  address.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('&', '&amp;')

/** On one line, with nothing that Markdown, HTML inside it or a template would act on. */
function markdownText(text: string): string {
  return plainText(text.toWellFormed())
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[\\`*_[\]{}<>&~|#$]/g, (sign) => `\\${sign}`)
}

const STYLE =
  'body{font:15px/1.4 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1b19;background:#fbfbfa}' +
  'h2{font-size:1rem;margin:2rem 0 .5rem}h3{font-size:.85rem;margin:.75rem 0 .25rem;color:#6b6862}' +
  'p{margin:.25rem 0}pre{margin:0 0 .5rem;padding:.5rem;border:1px solid #e6e5e1;background:#fff;white-space:pre-wrap;overflow-wrap:anywhere}'

/** A self-contained document: for each picture and language, what to paste into a page. */
function htmlOf(jobs: readonly ExportedJob[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<title>Hangar: pictures and their texts</title>',
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<h1>Pictures and their texts</h1>',
    ...jobs.map(sectionOf),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function sectionOf(job: ExportedJob): string {
  const languages = job.texts.length === 0 || job.decorative ? [''] : job.texts.map(({ languageCode }) => languageCode)
  const snippets = languages.flatMap((code) => {
    const picture = pictureMarkup(job, code)
    const img = imgMarkup(job, code)
    return [
      ...(code === '' ? [] : [`<h3>${markupText(code)}</h3>`]),
      `<pre>${markupText(img)}</pre>`,
      ...(picture === img ? [] : [`<pre>${markupText(picture)}</pre>`]),
    ]
  })
  const notes = job.notes.map((note) => `<p>${markupText(noteText(note))}</p>`)
  return ['<section>', `<h2>${markupText(job.row.name)}</h2>`, ...notes, ...snippets, '</section>'].join('\n')
}

function nameOf(job: ExportedJob, role: 'optimized' | 'converted'): string {
  return job.outputs.findLast((output) => output.role === role && output.state === 'published')?.name ?? ''
}
