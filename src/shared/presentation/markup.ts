import { markupText } from '../text/safe-characters.ts'
import { isShown } from '../recipes/recipe-facts.ts'
import { scaledSize } from '../recipes/scaled-size.ts'
import type { JobDetail, OutputRow } from '../contract/jobs.ts'

/* HTML for the author of a web page to paste, never inserted into Hangar's own pages. Names and alt texts are hostile until escaped. */

/** Input for markup; a `JobDetail` has it. */
export type MarkupSource = Pick<JobDetail, 'row' | 'path' | 'image' | 'recipe' | 'texts' | 'decorative' | 'outputs'> & {
  /** The address of a file by its path. Without it a page lies beside the files, and names them. */
  addressOf?: (path: string) => string
}

/** A file that a page can name. */
type ServedFile = Pick<OutputRow, 'name' | 'path' | 'sizeBytes' | 'type'>

/** `<img>` with the compressed file; without one, with the converted file if that is smaller than the original. */
export function imgMarkup(source: MarkupSource, language: string): string {
  const { plain, smaller } = servedFiles(source)
  const converted = newest(source, 'optimized') === null ? smaller : null
  if (converted !== null) return imgTag(source, converted, language, srcsetOf(source), convertedSize(source))
  return imgTag(source, plain, language, isOfPlainType(source) ? srcsetOf(source) : null)
}

/**
 * `<picture>` with the converted files where that saves bytes; else as `imgMarkup`. A browser chooses among the widths of one type only:
 * without a converted file of full width, the narrower ones are limited to screens for which they suffice.
 */
export function pictureMarkup(source: MarkupSource, language: string): string {
  const { plain, smaller } = servedFiles(source)
  const candidates = candidatesOf(source)
  const [widest] = candidates
  if (widest === undefined || isOfPlainType(source) || !isPlainShown(source)) return imgMarkup(source, language)
  const size = smaller === null ? null : convertedSize(source)
  const isScaled = size !== null && size.width !== source.row.width
  const srcset = srcsetOf(source)
  const parts = [
    ...(smaller === null ? [`media="${attribute(screensFor(widest.width))}"`] : []),
    srcset === null ? `srcset="${attribute(addressOf(source, widest))}"` : srcset,
    `type="image/${attribute(widest.type)}"`,
  ]
  return [
    '<picture>',
    `  <source ${parts.join(' ')}${isScaled ? sizeAttributes(size) : ''}>`,
    `  ${imgTag(source, plain, language)}`,
    '</picture>',
  ].join('\n')
}

/** A file for `srcset`, and its width in pixels. */
type Candidate = ServedFile & { width: number }

/** Files of the recipe's format, widest first. Each has fewer bytes than the wider ones, otherwise it would be useless. */
function candidatesOf(source: MarkupSource): Candidate[] {
  const { plain, smaller } = servedFiles(source)
  const variants = source.outputs
    .filter(({ role, state }) => role === 'variant' && state === 'published')
    .flatMap(({ width, ...file }) => (width === undefined ? [] : [{ ...file, width }]))
    .toSorted((a, b) => b.width - a.width)
  const whole = smaller ?? (isOfPlainType(source) ? plain : null)
  const width = smaller === null ? source.row.width : (convertedSize(source)?.width ?? null)
  const all = whole === null || width === null ? variants : [{ ...whole, width }, ...variants]
  let leastBytes = whole === null ? plain.sizeBytes : Infinity
  return all.filter(({ sizeBytes }) => {
    const isSmaller = sizeBytes < leastBytes
    if (isSmaller) leastBytes = sizeBytes
    return isSmaller
  })
}

/** URLs and widths in the syntax of `srcset`, narrowest first; empty where there is no choice. */
export function srcsetText(source: MarkupSource): string {
  if (!source.outputs.some(({ role }) => role === 'variant')) return ''
  const narrowestFirst = candidatesOf(source).toReversed()
  return narrowestFirst.map((file) => `${addressOf(source, file)} ${file.width}w`).join(', ')
}

/** `srcset` and `sizes` for a picture that is as wide as its own pixels or as the page. Null where there is no choice. */
function srcsetOf(source: MarkupSource): string | null {
  const set = srcsetText(source)
  const { smaller } = servedFiles(source)
  const shown = smaller === null ? sizeOf(source) : convertedSize(source)
  if (set === '' || shown === null) return null
  const sizes = `(max-width: ${shown.width}px) 100vw, ${shown.width}px`
  return `srcset="${attribute(set)}" sizes="${attribute(sizes)}"`
}

/** Media query for screens that show a picture at no more than this many device pixels, for the common pixel densities. */
function screensFor(width: number): string {
  return [1, 2, 3]
    .map((density) => `(max-width: ${Math.floor(width / density)}px) and (max-resolution: ${density}dppx)`)
    .join(', ')
}

/** The original or the compressed file is already in the format that is converted to. */
function isOfPlainType({ outputs, image, recipe }: MarkupSource): boolean {
  return !hasCompressed(outputs) && image?.type === recipe.format
}

/** The address of the file that everything can show: the compressed one, or else the original; of a TIFF the converted one. */
export function plainAddress(source: MarkupSource): string {
  const { plain, smaller } = servedFiles(source)
  return addressOf(source, isPlainShown(source) ? plain : (smaller ?? plain))
}

function isPlainShown({ outputs, image }: MarkupSource): boolean {
  return image === null || isShown(image.type) || hasCompressed(outputs)
}

const hasCompressed = (outputs: MarkupSource['outputs']): boolean =>
  outputs.some(({ role, state }) => role === 'optimized' && state === 'published')

/** The text for `alt` on one line: empty for a picture that is only decoration, or without a text in this language. */
export function altText({ texts, decorative }: MarkupSource, language: string): string {
  return decorative ? '' : onOneLine(texts.find(({ languageCode }) => languageCode === language)?.altText ?? '')
}

/** `plain` is the compressed file or else the original, which every browser can show but for a TIFF. `smaller` is the converted file. */
function servedFiles(source: MarkupSource): { plain: ServedFile; smaller: OutputRow | null } {
  const { name, sizeBytes } = source.row
  const original = { name, path: source.path, sizeBytes, type: source.image?.type ?? '' }
  const plain = newest(source, 'optimized') ?? (isPlainShown(source) ? original : { ...original, sizeBytes: Infinity })
  const converted = newest(source, 'converted')
  return { plain, smaller: converted !== null && converted.sizeBytes < plain.sizeBytes ? converted : null }
}

type Size = { width: number; height: number } | null

function sizeOf({ row: { width, height } }: MarkupSource): Size {
  return width === null || height === null ? null : { width, height }
}

/** A recipe may scale converted files down; a page must not draw one larger than it is. */
function convertedSize(source: MarkupSource): Size {
  const { width, height } = newest(source, 'converted') ?? {}
  if (width !== undefined && height !== undefined) return { width, height }
  const size = sizeOf(source)
  return size === null ? null : scaledSize(size, source.recipe.longEdge)
}

function sizeAttributes(size: Size): string {
  return size === null ? '' : ` width="${size.width}" height="${size.height}"`
}

function imgTag(
  source: MarkupSource,
  file: ServedFile,
  language: string,
  srcset: string | null = null,
  size: Size = sizeOf(source),
): string {
  const alt = altText(source, language)
  const chosen = srcset === null ? '' : ` ${srcset}`
  return `<img src="${attribute(addressOf(source, file))}"${chosen}${sizeAttributes(size)} alt="${attribute(alt)}">`
}

function newest({ outputs }: MarkupSource, role: OutputRow['role']): OutputRow | null {
  return outputs.findLast((output) => output.role === role && output.state === 'published') ?? null
}

/** A name, or one in folders of a template, as a relative URL in which a colon does not end a scheme, where no address is known. */
function addressOf({ addressOf: known }: MarkupSource, { name, path }: ServedFile): string {
  return known?.(path) ?? name.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

function attribute(text: string): string {
  return markupText(onOneLine(text))
}

/** A line break in an alt text has no meaning, and breaks tables of snippets. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
