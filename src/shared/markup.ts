import type { JobDetail, OutputRow } from './ui-contract.ts'

/*
 * HTML for a web page's author to paste. Names and alt texts come from a service and are hostile until escaped; what is
 * given back is text, to be shown or saved, and never put into a page of Hangar's own as HTML.
 */

/** What markup is made of; a `JobDetail` has it. */
export type MarkupSource = Pick<JobDetail, 'row' | 'image' | 'texts' | 'decorative' | 'outputs'>

/** `<img>` with the compressed file; without one, with the converted file if that is smaller than the original. */
export function imgMarkup(source: MarkupSource, language: string): string {
  const { plain, smaller } = servedFiles(source)
  const file = newest(source, 'optimized') === null ? (smaller ?? plain) : plain
  return imgTag(source, file.name, language)
}

/** `<picture>` with the converted file, for browsers that can show it, where that saves something; else as `imgMarkup`. */
export function pictureMarkup(source: MarkupSource, language: string): string {
  const { plain, smaller } = servedFiles(source)
  if (smaller === null) return imgMarkup(source, language)
  return [
    '<picture>',
    `  <source srcset="${attribute(addressOf(smaller.name))}" type="image/${attribute(smaller.type)}">`,
    `  ${imgTag(source, plain.name, language)}`,
    '</picture>',
  ].join('\n')
}

/** The converted file that markup leaves out, because a browser takes the first it can show and this one saves nothing. */
export function leftOutOfMarkup(source: MarkupSource): OutputRow | null {
  return servedFiles(source).smaller === null ? newest(source, 'converted') : null
}

/** `plain` is the compressed file, or else the original: what every browser can show. `smaller` is converted. */
function servedFiles(source: MarkupSource): {
  plain: Pick<OutputRow, 'name' | 'sizeBytes'>
  smaller: OutputRow | null
} {
  const { name, sizeBytes } = source.row
  const plain = newest(source, 'optimized') ?? { name, sizeBytes }
  const converted = newest(source, 'converted')
  return { plain, smaller: converted !== null && converted.sizeBytes < plain.sizeBytes ? converted : null }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for HTML content and quoted attributes: nothing in it can end either. XML-illegal characters are left out. */
export function escapeHtml(text: string): string {
  return legal(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

function imgTag({ row, texts, decorative }: MarkupSource, name: string, language: string): string {
  const alt = decorative ? '' : (texts.find((text) => text.languageCode === language)?.altText ?? '')
  const size = row.width === null || row.height === null ? '' : ` width="${row.width}" height="${row.height}"`
  return `<img src="${attribute(addressOf(name))}"${size} alt="${attribute(alt)}">`
}

function newest({ outputs }: MarkupSource, role: OutputRow['role']): OutputRow | null {
  return outputs.findLast((output) => output.role === role && output.state === 'published') ?? null
}

/** A base name as a relative address: a colon in it is no scheme, a slash no folder. */
function addressOf(name: string): string {
  return encodeURIComponent(name.toWellFormed())
}

/** One line: a line break in an alt text says nothing, and breaks tables of snippets. */
function attribute(text: string): string {
  return escapeHtml(text.replace(/\s+/g, ' ').trim())
}

function legal(text: string): string {
  // eslint-disable-next-line no-control-regex -- exactly these are not allowed in XML and HTML
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
}
