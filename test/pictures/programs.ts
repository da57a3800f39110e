import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Debian's own, which has Debian's packages. */
export const PYTHON = '/usr/bin/python3'

/** What says that a program which judges pictures is there, each with the Debian package that brings it. */
const JUDGES: Readonly<Record<string, string>> = {
  exiftool: 'libimage-exiftool-perl',
  vips: 'libvips-tools',
  djpeg: 'libjpeg-turbo-progs',
  pngcheck: 'pngcheck',
  identify: 'imagemagick',
  webpmux: 'webp',
  dwebp: 'webp',
  avifdec: 'libavif-bin',
  ffmpeg: 'ffmpeg',
  giftext: 'giflib-tools',
  pillow: 'python3-pil',
}

/** Those that are not on this machine, with their packages. */
export async function missingJudges(): Promise<string[]> {
  const there = await Promise.all(Object.keys(JUDGES).map((name) => isThere(name)))
  return Object.entries(JUDGES).flatMap(([name, brings], index) =>
    there[index]! ? [] : [`${name} (Debian: ${brings})`],
  )
}

async function isThere(name: string): Promise<boolean> {
  const asked = name === 'pillow' ? ask(PYTHON, ['-c', 'import PIL']) : ask('sh', ['-c', `command -v ${name}`])
  return (await asked).status === 0
}

export interface Said {
  status: number
  words: string
}

/** Runs one program to its end. A crash, a time-out or a program that is not there gives a status of its own below 0. */
export function ask(program: string, args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    const limits = { timeout: 120_000, maxBuffer: 64 * 1_048_576, encoding: 'utf8' } as const
    execFile(program, args, limits, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ status, words: `${stdout}${stderr}`.trim() })
    })
  })
}

/** What exiftool read of one file: values by `Group:Name`, groups of the first family. */
export type Tags = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>

const ANSWER_MS = 300_000

/** One exiftool for many files, since starting it takes longer than reading. */
export class ExifTool {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #answers: ((text: string) => void)[] = []
  #text = ''

  constructor() {
    this.#child = spawn('exiftool', ['-stay_open', 'True', '-@', '-'], { stdio: 'pipe' })
    this.#child.stderr.resume()
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (line !== '{ready}') this.#text += `${line}\n`
      else {
        this.#answers.shift()?.(this.#text)
        this.#text = ''
      }
    })
    this.#child.on('close', () => this.#answers.splice(0).forEach((answer) => answer('')))
  }

  /** In the order of `paths`; a file that exiftool cannot open has no tags. */
  read(paths: readonly string[]): Promise<Tags[]> {
    return this.#ask(['-G1', '-a', '-struct', '-c', '%+.6f'], paths)
  }

  /** The colour profile of each file, byte for byte; empty without one. */
  async profiles(paths: readonly string[]): Promise<string[]> {
    const found = await this.#ask(['-b', '-icc_profile'], paths)
    return found.map((tags) => String(tags['ICC_Profile'] ?? ''))
  }

  async #ask(options: readonly string[], paths: readonly string[]): Promise<Tags[]> {
    if (this.#child.exitCode !== null) throw new Error('exiftool has ended')
    const text = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('exiftool does not answer')), ANSWER_MS)
      this.#answers.push((answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      // Only such a line may hold a line break, but exiftool spoils an @ in it.
      const files = paths.map((path) => (path.includes('\n') ? `#[CSTR]${escaped(path)}` : path))
      // Each option and each value on a line of its own.
      this.#child.stdin.write(`${['-j', ...options, ...files, '-execute'].join('\n')}\n`)
    })
    // It leaves some control characters in strings as they are.
    const json = text.replaceAll(/\p{Cc}/gu, ' ').trim() || '[]'
    const found = JSON.parse(json) as (Tags & { SourceFile: string })[]
    return paths.map((path) => found.find(({ SourceFile }) => SourceFile === path) ?? {})
  }

  close(): void {
    this.#child.stdin.end('-stay_open\nFalse\n')
  }
}

const escaped = (path: string): string => path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

/** 8 bits for each channel, sRGB, 3 or 4 channels. */
export interface Pixels {
  width: number
  height: number
  channels: number
  data: Uint8Array
}

export interface View {
  /** Pictures are scaled down until they fit. */
  maxSide: number
  /** By the orientation of the file. */
  turned: boolean
  /** Through its profile of inks, pixel by pixel: scaling with a profile takes another way there. */
  isInk?: boolean
}

/** A picture, or the first frame of one, as vips shows it: in sRGB by its profile. Null where vips cannot decode it. */
export function pixelsByVips(path: string, { maxSide, turned, isInk = false }: View): Promise<Pixels | null> {
  return inFolder(async (folder) => {
    const [target, inSrgb] = [join(folder, 'picture.v'), join(folder, 'srgb.v')]
    if (isInk) {
      // Black point compensation as colour management has it by default elsewhere; without it dark colours come out lighter.
      const how = ['--embedded', '--intent', 'perceptual', '--black-point-compensation']
      const { status } = await ask('vips', ['icc_transform', path, inSrgb, 'srgb', ...how])
      if (status !== 0) return null
    }
    // Debian's vips has no decoder for AV1.
    const decoded = join(folder, 'decoded.png')
    const isAvif = path.endsWith('.avif')
    const imported = isAvif ? await decodeAvif(path, decoded) : []
    if (imported === null) return null
    const source = isInk ? inSrgb : isAvif ? decoded : path
    const { status } = await ask('vips', [...thumbnailOf(source, target, maxSide, turned), ...imported])
    return status === 0 ? readVipsFile(await readFile(target)) : null
  })
}

/** Decodes an AVIF into a PNG, and gives vips' options for a profile whose white is not D50, which a PNG cannot hold; null where avifdec fails. */
async function decodeAvif(path: string, target: string): Promise<string[] | null> {
  if ((await ask('avifdec', [path, target])).status === 0) return []
  if ((await ask('avifdec', ['--ignore-icc', path, target])).status !== 0) return null
  const profile = `${target}.icc`
  await ask('exiftool', ['-q', '-b', '-icc_profile', '-W', profile, path])
  return ['--import-profile', profile]
}

/** The numbers of a still picture as they are, with its profile, after an encoder that is not Hangar's has had them. */
export function pixelsAfterPlainWebp(path: string, view: View, quality: number): Promise<Pixels | null> {
  return inFolder(async (folder) => {
    const encoded = join(folder, 'other.webp')
    const made = await ask('vips', ['webpsave', path, encoded, '--Q', `${quality}`])
    return made.status === 0 ? pixelsByVips(encoded, view) : null
  })
}

/** The same after an encoder that is not Hangar's has had them, scaled down to `encodedSide`: what the format itself loses. */
export function pixelsAfterEncoding(
  path: string,
  { maxSide, turned, suffix, encodedSide }: View & { suffix: string; encodedSide: number },
): Promise<Pixels | null> {
  return inFolder(async (folder) => {
    const encoded = join(folder, suffix.replace(/\[.*/, ''))
    const made = await ask('vips', thumbnailOf(path, join(folder, suffix), encodedSide, turned))
    return made.status === 0 ? pixelsByVips(encoded, { maxSide, turned: false }) : null
  })
}

function thumbnailOf(path: string, target: string, maxSide: number, turned: boolean): string[] {
  const colours = ['--export-profile', 'srgb', '--intent', 'perceptual']
  return ['thumbnail', path, target, `${maxSide}`, '--size', 'down', ...colours, ...(turned ? [] : ['--no-rotate'])]
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'hangar-judge-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const VIPS_HEADER_BYTES = 64
const USHORT = 2

/** vips' own format: a header of numbers in the byte order of the machine, and the bare pixels. */
function readVipsFile(bytes: Buffer): Pixels | null {
  const [width = 0, height = 0, bands = 0, format] = [4, 8, 12, 20].map((at) => bytes.readInt32LE(at))
  if (format !== 0 && format !== USHORT) return null
  const channels = bands <= 2 ? bands + 2 : bands
  const data = new Uint8Array(width * height * channels)
  const sample = (index: number): number =>
    format === USHORT ? bytes[VIPS_HEADER_BYTES + index * 2 + 1]! : bytes[VIPS_HEADER_BYTES + index]!
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      const band = bands > 2 ? channel : channel < 3 ? 0 : 1
      data[pixel * channels + channel] = sample(pixel * bands + band)
    }
  }
  return { width, height, channels, data }
}

/** What a decoder of the type's own makes of a whole file: `clean` without a complaint, `warns`, or `fails`. */
export async function decoderOf(
  type: string,
  path: string,
): Promise<{ verdict: 'clean' | 'warns' | 'fails'; words: string }> {
  const said = await asked(type, path)
  const verdict = said.status === 0 ? (said.words === '' ? 'clean' : 'warns') : said.isWarning ? 'warns' : 'fails'
  return { verdict, words: said.words.split('\n')[0] ?? '' }
}

async function asked(type: string, path: string): Promise<Said & { isWarning?: boolean }> {
  const byImageMagick = () => ask('identify', ['-regard-warnings', '-format', ' ', path])
  switch (type) {
    case 'JPEG': {
      const said = await ask('djpeg', ['-outfile', '/dev/null', path])
      return { ...said, isWarning: said.status === 2 }
    }
    case 'PNG':
      return ask('pngcheck', ['-q', path])
    case 'GIF': {
      // One goes over damaged blocks without a word, the other over damaged pixels.
      const said = await byImageMagick()
      const isClean = said.status === 0 && said.words === ''
      return isClean ? ask('sh', ['-c', 'giftext "$1" > /dev/null', 'sh', path]) : said
    }
    case 'WEBP': {
      const said = await ask('dwebp', ['-quiet', path, '-o', '/dev/null'])
      return said.words.includes('UNSUPPORTED_FEATURE') ? byImageMagick() : said
    }
    default:
      return byImageMagick()
  }
}

/** djpeg's warnings that mean grey or wrong pixels; the others are about the head, or about bytes between the parts. */
const PIXELS_ARE_LOST = /premature end|bad Huffman code|instead of RST|corrupt(?:ed)? progressive/i

/** pngcheck's complaint about a chunk that readers skip, and which holds no transparency and no animation. */
const BESIDE_PIXELS = /\b(?!tRNS|acTL|fcTL|fdAT)[a-z][A-Za-z][A-Z][A-Za-z]\b/
const VIEW: View = { maxSide: 16, turned: false }

/** Null where an original is whole. Readers also refuse files of which no pixel is missing, so two have to agree. */
export async function whyBroken(type: string, path: string): Promise<string | null> {
  const { verdict, words } = await decoderOf(type, path)
  // An older decoder knows fewer kinds, such as lossless JPEG.
  if (verdict === 'clean' || (verdict === 'fails' && /^unsupported/i.test(words))) return null
  if (verdict === 'warns') return PIXELS_ARE_LOST.test(words) ? words : null
  if (type === 'PNG' && BESIDE_PIXELS.test(words)) return (await pixelsByVips(path, VIEW)) === null ? words : null
  const others = [await pillowOn(path)]
  if (type === 'PNG') others.push(await ask('ffmpeg', ['-nostdin', '-v', 'error', '-i', path, '-f', 'null', '-']))
  const agree = others.every(({ status, words: complaint }) => status !== 0 || complaint !== '')
  return agree ? `${words}; ${others[0]!.words}` : null
}

/** As a picture is stored. */
export async function sizeByVips(path: string): Promise<{ width: number; height: number } | null> {
  const said = await Promise.all(['width', 'height'].map((field) => ask('vipsheader', ['-f', field, path])))
  const [width = 0, height = 0] = said.map(({ words }) => Number(words))
  return width > 0 && height > 0 ? { width, height } : null
}

/** What Pillow has against a picture; the end of its words says it. */
async function pillowOn(path: string): Promise<Said> {
  const script = `
import sys
from PIL import Image
picture = Image.open(sys.argv[1])
for n in range(getattr(picture, 'n_frames', 1)):
    picture.seek(n)
    picture.load()
`
  const { status, words } = await ask(PYTHON, ['-W', 'ignore', '-c', script, path])
  return status === 0 ? { status, words: '' } : { status, words: words.split('\n').at(-1) ?? '' }
}
