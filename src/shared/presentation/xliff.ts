import { isWholeInMarkup, markupText } from '../text/safe-characters.ts'
import type { MarkupSource } from './markup.ts'

/** From one language into another, or into one that a translator chooses. */
export interface Translation {
  from: string
  to: string | null
}

const XLIFF_NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0'
/** The units of a picture. */
export const ALT_TEXT_UNIT = 'alt'
export const SEO_NAME_UNIT = 'seo_name'

/**
 * A document for translators (XLIFF 2.0, section 4.2): a file for each picture that `isTranslatable`, of which there is at least one, with a
 * unit for its alt text and one for its file name.
 */
export function xliffOf(jobs: readonly MarkupSource[], { from, to }: Translation): string {
  const files = jobs.flatMap((job, n) => {
    const source = textToTranslate(job, from)
    if (source === null) return []
    const target = to === null ? undefined : job.texts.find(({ languageCode }) => languageCode === to)
    const units = [
      ...unitOf(ALT_TEXT_UNIT, 'alt text', source.altText, target?.altText),
      ...unitOf(SEO_NAME_UNIT, 'file name, without its ending', source.seoFilename, target?.seoFilename),
    ]
    return [`  <file id="${fileId(n + 1, job)}" original="${inXml(job.path)}">`, ...units, '  </file>']
  })
  const languages = `srcLang="${inXml(from)}"${to === null ? '' : ` trgLang="${inXml(to)}"`}`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xliff xmlns="${XLIFF_NAMESPACE}" version="2.0" ${languages}>`,
    ...files,
    '</xliff>',
    '',
  ].join('\n')
}

/** Whether it has a text in this language, is more than decoration, and can be found again: its path has nothing that XML cannot hold. */
export const isTranslatable = (job: MarkupSource, from: string): boolean => textToTranslate(job, from) !== null

function textToTranslate({ texts, decorative, path }: MarkupSource, from: string) {
  const text = texts.find(({ languageCode }) => languageCode === from)
  const hasWords = text !== undefined && (inXml(text.altText) !== '' || inXml(text.seoFilename) !== '')
  return hasWords && !decorative && isWholeInMarkup(path) ? text : null
}

/** Unique, by content and path: some programs give back ids and no `original`. What no name token may have is there as UTF-8 bytes. */
function fileId(n: number, { image, path }: MarkupSource): string {
  const bytes = (part: string) =>
    [...new TextEncoder().encode(part)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join('')
  return `p${n}.${image?.sha256 ?? ''}.${path.replace(/[^\w.-]|_/gu, bytes)}`
}

/** What the id of a file says; null for an id of another program. */
export function readFileId(id: string): { sha256: string | null; path: string } | null {
  const [, sha256 = '', path] = /^p\d+\.([\da-f]{64})?\.((?:[A-Za-z\d.-]|_[\da-f]{2})+)$/.exec(id) ?? []
  if (path === undefined) return null
  try {
    return { sha256: sha256 || null, path: decodeURIComponent(path.replaceAll('_', '%')) }
  } catch {
    return null
  }
}

function unitOf(id: string, note: string, sourceText: string, targetText = ''): string[] {
  const [source, target] = [inXml(sourceText), inXml(targetText)]
  if (source === '') return []
  const state = target === '' ? 'initial' : 'translated'
  return [
    `    <unit id="${id}" xml:space="preserve">`,
    `      <notes><note>${note}</note></notes>`,
    `      <segment state="${state}"><source>${source}</source>${target === '' ? '' : `<target>${target}</target>`}</segment>`,
    '    </unit>',
  ]
}

/** In an attribute a reader makes spaces of line ends and tabs that are not references (XML 1.0, section 3.3.3). */
function inXml(text: string): string {
  return markupText(text).replace(/[\t\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}
