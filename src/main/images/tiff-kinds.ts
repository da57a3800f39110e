import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { TIFF_TAGS as TAGS } from './metadata/tiff.ts'
import { TiffBlock, type Folder } from './metadata/tiff-block.ts'

/** None, LZW, deflate by both of its numbers, PackBits. */
const PLAIN = [1, 5, 8, 32_946, 32_773]
const [FAX, JPEG, WEBP] = [[2, 3, 4], 7, 50_001] as const
const [STRIPS, TILES, PLANES] = ['RowsPerStrip', 'TileOffsets', 'PlanarConfiguration 2']
const TOGETHER = [STRIPS, TILES]
const ANY_WAY = [...TOGETHER, PLANES]
const FIELDS = ['PhotometricInterpretation', 'SamplesPerPixel', 'BitsPerSample', 'Compression', ''] as const
/** White is zero, black is zero, palette. */
const GREYS = [0, 1, 3]
const [RGB, CMYK, YCBCR] = [2, 5, 6]

/** What is taken in, by `FIELDS` and how the samples lie. The library decodes more than that, but not to the right pixels. */
const TAKEN: readonly (readonly (readonly (number | string)[])[])[] = [
  [GREYS, [1], [1], [...PLAIN, ...FAX], TOGETHER],
  [GREYS, [1], [2, 4], PLAIN, TOGETHER],
  [GREYS, [1], [8, 16], PLAIN, ANY_WAY],
  [[0, 1], [1], [8], [JPEG], ANY_WAY],
  [[1, 3], [2], [8, 16], PLAIN, TOGETHER],
  [[RGB], [3, 4], [8, 16], PLAIN, ANY_WAY],
  [[RGB], [3], [8], [JPEG], ANY_WAY],
  [[RGB], [4], [8], [JPEG], [STRIPS, PLANES]],
  [[RGB], [3, 4], [8], [WEBP], TOGETHER],
  [[CMYK], [4], [8, 16], PLAIN, ANY_WAY],
  [[CMYK], [5], [8], PLAIN, ANY_WAY],
  [[CMYK], [4], [8], [JPEG], ANY_WAY],
  [[YCBCR], [3], [8], [JPEG], TOGETHER],
  [[YCBCR], [3], [8], PLAIN, [STRIPS]],
]
/** Of YCbCr without JPEG. Where every pixel has its own Cb and Cr, the library takes Y, Cb and Cr for red, green and blue. */
const SUBSAMPLINGS = new Set(['1,2', '2,1', '2,2', '4,1', '4,2', '4,4'])

/** Why an intact TIFF is not taken in, by its main directory. */
export function rareTiff(bytes: Buffer): Sentence | null {
  const tiff = TiffBlock.ofFile(bytes)
  const main = tiff?.main() ?? null
  if (tiff === null || main === null) return null
  const has = (wanted: number): boolean => main.entries.some(({ tag }) => tag === wanted)
  if (has(TAGS.dngVersion)) return say('is_format', { format: 'DNG' })
  const pages = pagesOf(tiff)
  if (pages > 1) return say('tiff_pages', { count: pages })
  if (tiff.number(main, TAGS.photometric) === null) return say('tiff_lacks', { field: FIELDS[0] })
  const what = rareField(tiff, main, has(TAGS.tileOffsets))
  return what === null ? null : say('tiff_kind', { what })
}

/** How many directories hold a picture of their own, and neither a smaller version nor a mask of another. */
export function pagesOf(tiff: TiffBlock): number {
  return [...tiff.chain()].filter((folder) => isPage(tiff, folder)).length
}

function isPage(tiff: TiffBlock, folder: Folder): boolean {
  const kind = tiff.number(folder, TAGS.newSubfileType) ?? 0
  // A smaller version, or a mask.
  return (kind & 0b101) === 0 && tiff.number(folder, TAGS.subfileType) !== 2
}

function rareField(tiff: TiffBlock, main: Folder, isTiled: boolean): string | null {
  const of = (tag: number, usual = 1): number => tiff.number(main, tag) ?? usual
  const [colours, compression] = [of(TAGS.photometric), of(TAGS.compression)]
  const [format, inks] = [of(TAGS.sampleFormat), of(TAGS.inkSet)]
  // A camera's raw file begins with its preview.
  if (!isPage(tiff, main)) return `NewSubfileType ${of(TAGS.newSubfileType, 0)}`
  if (format !== 1 && format !== 4) return `SampleFormat ${format}`
  if (colours === CMYK && inks !== 1) return `InkSet ${inks}`
  const apart = of(TAGS.planarConfiguration) === 2 ? [PLANES] : []
  const layout = [...apart, ...(isTiled ? [TILES] : [])].join(', ') || STRIPS
  const values = [colours, of(TAGS.samplesPerPixel), of(TAGS.bitsPerSample), compression, layout]
  let kinds = TAKEN
  for (const [nth, value] of values.entries()) {
    kinds = kinds.filter((kind) => kind[nth]!.includes(value))
    if (kinds.length === 0) return `${FIELDS[nth]} ${value}`.trim()
  }
  const subsampling = (tiff.numbers(main, TAGS.yCbCrSubSampling, 2) ?? [2, 2]).join()
  const isRare = colours === YCBCR && compression !== JPEG && !SUBSAMPLINGS.has(subsampling)
  return isRare ? `YCbCrSubSampling ${subsampling}` : null
}
