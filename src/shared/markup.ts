import type { JobDetail, OutputRow } from './ui-contract.ts'

/*
 * HTML for a web page's author to paste. Names and alt texts come from a service and are hostile until escaped; what is
 * given back is text, to be shown or saved, and never put into a page of Hangar's own as HTML.
 */

/** What markup is made of; a `JobDetail` has it. */
export type MarkupSource = Pick<JobDetail, 'row' | 'image' | 'texts' | 'outputs'>

/** `<img>` with the file that every browser can show: the compressed one, else the converted one, else the original. */
export function imgMarkup(source: MarkupSource, language: string): string {
  const { optimized, converted } = bestOutputs(source)
  return imgTag(source, (optimized ?? converted)?.name ?? source.row.name, language)
}

/** `<picture>` with the converted file first and the compressed one, or the original, for browsers that cannot show it. */
export function pictureMarkup(source: MarkupSource, language: string): string {
  const { optimized, converted } = bestOutputs(source)
  if (converted === null) return imgMarkup(source, language)
  const fallback = imgTag(source, optimized?.name ?? source.row.name, language)
  return [
    '<picture>',
    `  <source srcset="${attribute(addressOf(converted.name))}" type="image/${attribute(converted.type)}">`,
    `  ${fallback}`,
    '</picture>',
  ].join('\n')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for HTML content and quoted attributes: nothing in it can end either. XML-illegal characters are left out. */
export function escapeHtml(text: string): string {
  return legal(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

function imgTag({ row, texts }: MarkupSource, name: string, language: string): string {
  const alt = texts.find((text) => text.languageCode === language)?.altText ?? ''
  const size = row.width === null || row.height === null ? '' : ` width="${row.width}" height="${row.height}"`
  return `<img src="${attribute(addressOf(name))}"${size} alt="${attribute(alt)}">`
}

function bestOutputs({ outputs }: MarkupSource): { optimized: OutputRow | null; converted: OutputRow | null } {
  const newest = (role: OutputRow['role']) =>
    outputs.findLast((output) => output.role === role && output.state === 'published') ?? null
  return { optimized: newest('optimized'), converted: newest('converted') }
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
