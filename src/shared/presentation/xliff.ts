import { markupText } from '../text/safe-characters.ts'
import type { MarkupSource } from './markup.ts'

/** From one language into another, or into one that a translator chooses. */
export interface Translation {
  from: string
  to: string | null
}

export const XLIFF_NAMESPACE = 'urn:oasis:names:tc:xliff:document:2.0'
/** The units of a picture. */
export const ALT_TEXT_UNIT = 'alt'
export const SEO_NAME_UNIT = 'seo_name'

/**
 * A document for translators (XLIFF 2.0, OASIS standard, section 4.2): a file for each picture, called by its path, with a unit for its alt
 * text and one for its file name. Pictures without a text in the first language are left out, and so is what is only decoration.
 */
export function xliffOf(jobs: readonly MarkupSource[], { from, to }: Translation): string {
  const files = jobs.flatMap((job, n) => {
    const source = job.texts.find(({ languageCode }) => languageCode === from)
    if (source === undefined || job.decorative) return []
    const target = to === null ? undefined : job.texts.find(({ languageCode }) => languageCode === to)
    const units = [
      ...unitOf(ALT_TEXT_UNIT, 'alt text', source.altText, target?.altText),
      ...unitOf(SEO_NAME_UNIT, 'file name, without its ending', source.seoFilename, target?.seoFilename),
    ]
    if (units.length === 0) return []
    return [`  <file id="p${n + 1}" original="${inXml(job.path)}">`, ...units, '  </file>']
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

function unitOf(id: string, note: string, source: string, target = ''): string[] {
  if (source === '') return []
  const state = target === '' ? 'initial' : 'translated'
  return [
    `    <unit id="${id}" xml:space="preserve">`,
    `      <notes><note>${note}</note></notes>`,
    `      <segment state="${state}"><source>${inXml(source)}</source>${target === '' ? '' : `<target>${inXml(target)}</target>`}</segment>`,
    '    </unit>',
  ]
}

/** In an attribute a reader makes spaces of line ends and tabs that are not references (XML 1.0, section 3.3.3). */
function inXml(text: string): string {
  return markupText(text).replace(/[\t\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}
