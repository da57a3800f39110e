import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { upright } from './looks.ts'

/** Of each kind of metadata a field that the others do not have, with what stands in it. */
const CREDITS = [
  { kind: 'EXIF', tag: 'EXIF:Artist', value: 'By-Exif' },
  { kind: 'XMP', tag: 'XMP-dc:Rights', value: 'By-Xmp' },
  { kind: 'IPTC', tag: 'IPTC:Credit', value: 'By-Iptc' },
]
const SIZE = { width: 320, height: 200 }
const FRAMES = ['#c02020', '#20c020', '#2020c0']
/** In Display P3. Taken for sRGB, it is off by more than 10 of 255. */
const COLOUR = { r: 200, g: 90, b: 80 }
const NEAR = 5

export const THINGS = ['colours', 'credits', 'orientation', 'alpha', 'animation'] as const
/** What became of each thing, in a word or two. */
export type Survival = Record<(typeof THINGS)[number], string>

/** Makes a picture for each thing that should survive: `colours.jpg`, `credits.jpg` and so on. */
export async function makeWitnesses(folder: string): Promise<void> {
  const flat = (background: string | typeof COLOUR) => sharp({ create: { ...SIZE, channels: 3, background } })
  const jpeg = await flat(COLOUR).jpeg({ quality: 95 }).toBuffer()
  for (const name of ['colours.jpg', 'credits.jpg']) writeFileSync(join(folder, name), jpeg)
  const { icc } = await sharp(await flat('red').withIccProfile('p3').png().toBuffer()).metadata()
  const profile = join(folder, 'p3.icc')
  writeFileSync(profile, icc!)
  tag(join(folder, 'colours.jpg'), `-icc_profile<=${profile}`)
  rmSync(profile)
  tag(join(folder, 'credits.jpg'), ...CREDITS.map((credit) => `-${credit.tag}=${credit.value}`))
  const half = { create: { width: SIZE.width / 2, height: SIZE.height, channels: 3, background: 'red' } } as const
  const halves = flat('blue').composite([{ input: await sharp(half).png().toBuffer(), gravity: 'west' }])
  writeFileSync(join(folder, 'orientation.jpg'), await halves.jpeg().toBuffer())
  tag(join(folder, 'orientation.jpg'), '-n', '-EXIF:Orientation=6')
  const clear = sharp({ create: { ...SIZE, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } } })
  writeFileSync(join(folder, 'alpha.png'), await clear.png().toBuffer())
  const frames = await Promise.all(FRAMES.map((colour) => flat(colour).png().toBuffer()))
  const delay = FRAMES.map(() => 100)
  writeFileSync(
    join(folder, 'animation.gif'),
    await sharp(frames, { join: { animated: true } })
      .gif({ delay })
      .toBuffer(),
  )
}

/** What the results of a program say. `resultOf` gives the path of a witness's result, where there is one. */
export async function judgeSurvival(witnesses: string, resultOf: (name: string) => string | null): Promise<Survival> {
  const judge = async (name: string, judged: (result: string) => Promise<string>): Promise<string> => {
    const result = resultOf(name)
    return result === null ? 'no file' : judged(result)
  }
  return {
    colours: await judge('colours', async (result) => {
      const [was, is] = [await middle(join(witnesses, 'colours.jpg')), await middle(result)]
      const kept = (await sharp(result).metadata()).hasProfile ? 'profile' : 'no profile'
      return `${was.some((value, nth) => Math.abs(value - is[nth]!) > NEAR) ? 'wrong' : 'right'}, ${kept}`
    }),
    credits: await judge('credits', async (result) => {
      const all = execFileSync('exiftool', ['-a', '-G', result], { encoding: 'utf8' })
      const found = CREDITS.filter(({ value }) => all.includes(value)).map(({ kind }) => kind)
      return found.length === 0 ? 'none' : found.length === CREDITS.length ? 'all' : found.join(', ')
    }),
    orientation: await judge('orientation', async (result) => {
      const { info, data } = await upright(result)
      const isUpright = info.width === SIZE.height && info.height === SIZE.width && data[0]! > 200 && data[2]! < 60
      const { orientation = 1 } = await sharp(result).metadata()
      return isUpright ? (orientation === 1 ? 'applied' : 'kept') : 'lost'
    }),
    alpha: await judge('alpha', async (result) => {
      const { hasAlpha } = await sharp(result).metadata()
      const { channels } = await sharp(result).stats()
      return hasAlpha && Math.abs((channels.at(-1)?.mean ?? 0) - 128) < NEAR ? 'kept' : 'lost'
    }),
    animation: await judge('animation', async (result) => {
      const { pages = 1, delay, height, pageHeight } = await sharp(result, { pages: -1 }).metadata()
      if (pages === FRAMES.length) return delay === undefined ? 'frames without times' : 'kept'
      return pages === 1 && (pageHeight ?? height) > SIZE.height ? 'one tall picture' : 'first frame'
    }),
  }
}

function tag(path: string, ...args: string[]): void {
  execFileSync('exiftool', ['-q', '-overwrite_original', ...args, path])
}

async function middle(path: string): Promise<number[]> {
  const { data, info } = await upright(path)
  const at = ((info.height >> 1) * info.width + (info.width >> 1)) * info.channels
  return [...data.subarray(at, at + 3)]
}
