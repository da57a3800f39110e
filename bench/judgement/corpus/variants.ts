import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { SentCopy } from '../../../src/main/core/judge-served.ts'

/** A file that a service might give for an original, how it was made, and what was sent if not the original itself. */
export interface Variant {
  name: string
  make: () => Promise<Buffer>
  copy?: SentCopy
}

export interface Original {
  path: string
  bytes: Buffer
  metadata: Metadata
}

type Type = 'jpeg' | 'png' | 'gif' | 'webp'

/** What a program makes of bytes that it reads from its input. */
function through(program: string, args: string[]): (bytes: Buffer) => Promise<Buffer> {
  return (bytes) =>
    new Promise((resolve, reject) => {
      const child = execFile(program, args, { encoding: 'buffer', maxBuffer: 1 << 28 }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(new Error(`${program}: ${error.message}`)),
      )
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(bytes)
    })
}

/** What a program makes of a file in its own folder. */
async function throughFile(
  program: string,
  args: (from: string, to: string) => string[],
  suffixes: [string, string],
  bytes: Buffer,
) {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-variant-'))
  const [from, to] = [join(folder, `from${suffixes[0]}`), join(folder, `to${suffixes[1]}`)]
  try {
    await writeFile(from, bytes)
    await through(program, args(from, to))(Buffer.alloc(0))
    return await readFile(to)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What is left of a picture after AVIF, in the type of the original. */
async function throughAvif(bytes: Buffer, type: 'jpeg' | 'png', quality: number): Promise<Buffer> {
  const args = (from: string, to: string): string[] => [
    '--speed',
    '9',
    '--min',
    `${quality}`,
    '--max',
    `${quality}`,
    from,
    to,
  ]
  const avif = await throughFile('avifenc', args, [type === 'jpeg' ? '.jpg' : '.png', '.avif'], bytes)
  return throughFile('avifdec', (from, to) => [from, to], ['.avif', type === 'jpeg' ? '.jpg' : '.png'], avif)
}

const cwebp = (bytes: Buffer, options: string[]): Promise<Buffer> =>
  throughFile(
    'cwebp',
    (from, to) => ['-quiet', '-metadata', 'icc', ...options, from, '-o', to],
    ['.webp', '.webp'],
    bytes,
  )

const opened = ({ bytes, metadata }: Original): Sharp =>
  sharp(bytes, { failOn: 'none', ...((metadata.pages ?? 1) > 1 ? { pages: -1 } : {}) })
const typeOf = ({ metadata }: Original): Type => metadata.format as Type
const isMoving = ({ metadata }: Original): boolean => (metadata.pages ?? 1) > 1

/** In the type of the original, quickly. */
function inType(image: Sharp, type: Type): Promise<Buffer> {
  switch (type) {
    case 'jpeg':
      return image.jpeg({ quality: 80 }).toBuffer()
    case 'png':
      return image.png({ compressionLevel: 1 }).toBuffer()
    case 'gif':
      return image.gif({ effort: 1 }).toBuffer()
    case 'webp':
      return image.webp({ quality: 80, effort: 1 }).toBuffer()
  }
}

/** What compressors of web pages do, gently and hard, with and without orientation and profile. */
export function honest(original: Original): Variant[] {
  const { bytes } = original
  const again = (name: string, encode: (image: Sharp) => Sharp): Variant => ({
    name,
    make: () => encode(opened(original).keepMetadata()).toBuffer(),
  })
  const smaller: Variant = {
    name: 'a smaller copy',
    copy: { size: null },
    make: async () =>
      inType(
        sharp(bytes, { failOn: 'none' })
          .autoOrient()
          .keepIccProfile()
          .resize({ width: Math.ceil((shownWidth(original) * 2) / 3) }),
        typeOf(original),
      ),
  }
  const throughPpm: Variant = {
    name: 'djpeg and cjpeg 60',
    make: async () => through('cjpeg', ['-quality', '60'])(await through('djpeg', [])(bytes)),
  }
  const upright: Variant = {
    name: 'turned upright, in sRGB',
    make: () => inType(opened(original).autoOrient(), typeOf(original)),
  }
  // A copy is sent of what has more than 10 MB, which is no icon.
  const isSmall = shownWidth(original) < 500
  const still = isMoving(original) ? [] : isSmall ? [upright] : [upright, smaller]
  switch (typeOf(original)) {
    case 'jpeg':
      return [
        ...[20, 35, 50, 76, 90].map((quality) =>
          again(`mozjpeg ${quality}`, (image) => image.jpeg({ quality, mozjpeg: true })),
        ),
        { name: 'jpegtran', make: () => through('jpegtran', ['-copy', 'none', '-optimize', '-progressive'])(bytes) },
        { name: 'jpegoptim 70', make: () => through('jpegoptim', ['--stdin', '--stdout', '-q', '-m70'])(bytes) },
        ...(original.metadata.space === 'cmyk'
          ? []
          : [throughPpm, { name: 'avifenc, avifdec', make: () => throughAvif(bytes, 'jpeg', 40) }]),
        ...still,
      ]
    case 'png':
      return [
        { name: 'pngquant', make: () => through('pngquant', ['-'])(bytes) },
        { name: 'pngquant 16', make: () => through('pngquant', ['16', '-'])(bytes) },
        { name: 'pngquant without dithering', make: () => through('pngquant', ['--nofs', '64', '-'])(bytes) },
        {
          name: 'optipng',
          make: () =>
            throughFile(
              'optipng',
              (from, to) => ['-quiet', '-o1', '-strip', 'all', from, '-out', to],
              ['.png', '.png'],
              bytes,
            ),
        },
        { name: 'oxipng', make: () => through('oxipng', ['-o', '2', '--strip', 'all', '--stdout', '-'])(bytes) },
        { name: 'avifenc, avifdec', make: () => throughAvif(bytes, 'png', 40) },
        again('palette', (image) => image.png({ palette: true, quality: 80, effort: 1 })),
        again('8 bits', (image) => image.png({ compressionLevel: 1 })),
        ...still,
      ]
    case 'gif':
      return [
        { name: 'gifsicle -O3', make: () => through('gifsicle', ['-O3'])(bytes) },
        { name: 'gifsicle --lossy', make: () => through('gifsicle', ['-O2', '--lossy=80'])(bytes) },
        { name: 'gifsicle 32 colours', make: () => through('gifsicle', ['-O1', '--colors=32'])(bytes) },
        again('other palette', (image) => image.gif({ effort: 1 })),
      ]
    case 'webp':
      return [
        { name: 'cwebp 40', make: () => cwebp(bytes, ['-q', '40']) },
        { name: 'cwebp near lossless', make: () => cwebp(bytes, ['-near_lossless', '40']) },
        ...[20, 35, 50, 80].map((quality) => again(`webp ${quality}`, (image) => image.webp({ quality, effort: 1 }))),
        ...still,
      ]
  }
}

const shownWidth = ({ metadata }: Original): number => metadata.autoOrient.width

/** What is not of its original. `neighbours` are other files of its folder. */
export function dishonest(original: Original, neighbours: readonly Buffer[]): Variant[] {
  const type = typeOf(original)
  const { width, height } = original.metadata.autoOrient
  const changed = (name: string, change: (image: Sharp) => Sharp): Variant => ({
    name,
    make: () => inType(change(sharp(original.bytes, { failOn: 'none' }).autoOrient().keepIccProfile()), type),
  })
  const fewColours = (name: string, change: (image: Sharp) => Sharp): Variant => ({
    name,
    make: () =>
      change(sharp(original.bytes, { failOn: 'none' }).autoOrient().keepIccProfile())
        .png({ palette: true, colours: 16, effort: 1 })
        .toBuffer(),
  })
  const others = neighbours.map((bytes, n): Variant => ({
    name: `neighbour ${n + 1}`,
    make: () => inType(sharp(bytes, { failOn: 'none' }).autoOrient().resize(width, height, { fit: 'fill' }), type),
  }))
  if (isMoving(original)) {
    const frames = original.metadata.pages ?? 1
    const count = (name: string, pages: number): Variant => ({
      name,
      make: () => inType(sharp(original.bytes, { failOn: 'none', page: 0, pages }), type),
    })
    return [
      count('a frame fewer', frames - 1),
      count('the first frame only', 1),
      { name: 'half the size', make: () => inType(opened(original).resize({ width: Math.ceil(width / 2) }), type) },
    ]
  }
  return [
    ...others,
    changed('half the size', (image) => image.resize({ width: Math.ceil(width / 2) })),
    changed('a pixel less', (image) => image.resize(Math.max(1, width - 1), height, { fit: 'fill' })),
    changed('mirrored', (image) => image.flop()),
    changed('upside down', (image) => image.flip()),
    changed('turned by 180', (image) => image.rotate(180)),
    changed('turned by 90', (image) => image.rotate(90)),
    changed('grey', (image) => image.greyscale()),
    changed('other hue', (image) => image.modulate({ hue: 90 })),
    changed('brighter', (image) => image.modulate({ brightness: 1.4 })),
    changed('red and blue exchanged', (image) =>
      image
        .toColourspace('srgb')
        .removeAlpha()
        .recomb([
          [0, 0, 1],
          [0, 1, 0],
          [1, 0, 0],
        ]),
    ),
    ...(type === 'png'
      ? [
          fewColours('mirrored, in 16 colours', (image) => image.flop()),
          fewColours('other hue, in 16 colours', (image) => image.modulate({ hue: 90 })),
          fewColours('brighter, in 16 colours', (image) => image.modulate({ brightness: 1.4 })),
        ]
      : []),
    changed('a third cut off and stretched', (image) =>
      image
        .extract({ left: 0, top: 0, width, height: Math.max(1, Math.floor((height * 2) / 3)) })
        .resize(width, height, { fit: 'fill' }),
    ),
    ...(original.metadata.hasAlpha && type !== 'jpeg'
      ? [changed('without transparency', (image) => image.flatten({ background: '#fff' }))]
      : []),
  ]
}
