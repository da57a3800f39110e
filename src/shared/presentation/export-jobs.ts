import { jsonText, markupText } from '../text/safe-characters.ts'
import { csvCell } from '../text/csv-cell.ts'
import { imgMarkup, pictureMarkup, srcsetText, type MarkupSource } from './markup.ts'
import { noteText } from '../sentences/reason-text.ts'
import type { JobDetail } from '../contract/jobs.ts'

export const EXPORT_FORMATS = ['csv', 'json', 'html'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The facts of a job that an export contains. */
export type ExportedJob = MarkupSource & Pick<JobDetail, 'path' | 'notes'>

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
}

/** A table or document of these jobs, for a person to save. Pure: the same jobs give the same text. */
export function exportJobs(
  format: ExportFormat,
  jobs: readonly ExportedJob[],
  { byteOrderMark = true }: { byteOrderMark?: boolean } = {},
): string {
  switch (format) {
    case 'csv':
      return `${byteOrderMark ? '\ufeff' : ''}${csvOf(jobs)}`
    case 'json':
      return `${jsonText(jobs.map(plainJob), 2)}\n`
    case 'html':
      return htmlOf(jobs)
  }
}

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

/** RFC 4180 with CRLF. Without a byte order mark before it, spreadsheets assume another encoding. */
function csvOf(jobs: readonly ExportedJob[]): string {
  const languages = [...new Set(jobs.flatMap(({ texts }) => texts.map(({ languageCode }) => languageCode)))].sort()
  const header = [
    ...FIXED_COLUMNS,
    ...languages.flatMap((code) => [`alt_${code}`, `seo_name_${code}`]),
    'decorative',
    'srcset',
    'notes',
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
    return [...fixed, ...texts, job.decorative ? 'yes' : '', srcsetText(job), notes]
  })
  return [header, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
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
