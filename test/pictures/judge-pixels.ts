import { readFile } from 'node:fs/promises'
import { scaledSize } from '../../src/shared/recipes/scaled-size.ts'
import { compare, hasTransparency, leastOpacity, srgbOf, withCurve, type Difference } from './compare-pixels.ts'
import { openAnimation, type Animation } from './judge-animation.ts'
import type { Judged, Policy, Tell } from './judge-picture.ts'
import { pixelsAfterEncoding, pixelsAfterPlainWebp, pixelsByVips, sizeByVips } from './programs.ts'
import type { ExifTool, Pixels, Tags } from './programs.ts'
import { profileOf, textOf } from './words-of-picture.ts'

type Size = Awaited<ReturnType<typeof sizeByVips>> & object

/** Its size is the one that is shown, turned by its orientation. */
export interface Original extends Size {
  path: string
  type: string
  tags: Tags
  isTurned: boolean
  pixels: Pixels | null
  /** Why `pixels` are no measure of the colours. */
  whyNoPixels: string | null
  animation: Animation
}

const MAX_SIDE = 256
/** What is below this difference is what encoders lose; what is above is compared with another encoder's loss. */
const UNSUSPICIOUS: Difference = { deltaE: 2, shift: 1.5, alpha: 1 }
const BESIDE_LOSS: Difference = { deltaE: 1.5, shift: 1, alpha: 1.5 }
const SHARE_OF_LOSS = 1.1
/** A pixel that was so much clearer, of 255, is lost and not rounded. */
const CLEARER = 100
/** About what the practice service makes of each type, by vips. */
const LIKE_SERVICE: Readonly<Record<string, string>> = {
  JPEG: 'other.jpg[Q=70]',
  PNG: 'other.png[palette,Q=70]',
  WEBP: 'other.webp[Q=70]',
  GIF: 'other.gif',
}

export async function openOriginal(path: string, type: string, tags: Tags): Promise<Original> {
  const orientation = (await isForBrowsers('orientation', type, path)) ? orientationOf(tags) : 1
  const stored = await storedSize(path, tags)
  const isAcross = orientation >= 5
  const isTurned = orientation > 1
  const isInk = profileOf(tags)?.space === 'CMYK'
  const pixels = await pixelsByVips(path, { maxSide: MAX_SIDE, turned: isTurned, isInk })
  return {
    path,
    type,
    tags,
    width: isAcross ? stored.height : stored.width,
    height: isAcross ? stored.width : stored.height,
    isTurned,
    animation: await openAnimation(path, type, tags),
    ...(await asBrowsersShow(tags, pixels)),
  }
}

/** The chunk of a PNG that browsers look into; ImageMagick keeps the same in text that only some programs read. */
const CHUNK = { orientation: 'eXIf', profile: 'iCCP' } as const

/** Whether what exiftool finds of a kind is what browsers go by. They turn no WebP, and a GIF has no profile for them. */
async function isForBrowsers(kind: keyof typeof CHUNK, type: string, path: string): Promise<boolean> {
  if (type === 'PNG') {
    const bytes = await readFile(path)
    const at = bytes.indexOf(CHUNK[kind])
    // What does not precede the pixels, and a profile that does not precede the palette, is passed over.
    const behind = kind === 'profile' ? ['IDAT', 'PLTE'] : ['IDAT']
    return at >= 0 && behind.every((name) => isBefore(at, bytes.indexOf(name)))
  }
  return type === 'JPEG' || (type === 'WEBP' && kind === 'profile')
}

const isBefore = (at: number, other: number): boolean => other < 0 || at < other

/** vips leaves the `gAMA` of a PNG out of account, which browsers do not. */
async function asBrowsersShow(tags: Tags, pixels: Pixels | null): Promise<Pick<Original, 'pixels' | 'whyNoPixels'>> {
  if (pixels === null) return { pixels, whyNoPixels: 'vips cannot decode it' }
  if (tags['File:ColorComponents'] === 4 && profileOf(tags) === null)
    return { pixels, whyNoPixels: 'CMYK without a profile' }
  if (String(tags['InteropIFD:InteropIndex'] ?? '').startsWith('R03') && profileOf(tags) === null)
    return { pixels, whyNoPixels: 'Adobe RGB by EXIF alone, which vips does not know' }
  const gamma = Number(tags['PNG:Gamma'] ?? 0)
  const hasProfile = profileOf(tags) !== null || tags['PNG:SRGBRendering'] !== undefined
  if (gamma === 0 || hasProfile || Math.abs(gamma - 2.2) < 0.02) return { pixels, whyNoPixels: null }
  if (tags['PNG-cHRM:WhitePointX'] !== undefined) return { pixels, whyNoPixels: 'gAMA and cHRM without a profile' }
  return { pixels: withCurve(pixels, (share) => srgbOf(share ** gamma)), whyNoPixels: null }
}

export interface Result {
  path: string
  role: string
  tags: Tags
}

export async function judgePixels(
  original: Original,
  result: Result,
  { policy, exiftool, judged, tell }: { policy: Policy; exiftool: ExifTool; judged: Judged; tell: Tell },
): Promise<void> {
  const isVariant = result.role === 'variant'
  const isConverted = result.role === 'converted' || isVariant
  const longEdge = isConverted ? policy.longEdge : null
  const stored = sizeOf(result.tags)
  const full = scaledSize(original, longEdge)
  const wanted = isVariant ? atWidth(full, stored.width, policy) : full
  const isAcross = orientationOf(result.tags) >= 5
  const shown = isAcross ? { width: stored.height, height: stored.width } : stored
  // Programs round scaled sizes differently.
  const most = longEdge === null && !isVariant ? 0 : 1
  const isSize = Math.abs(shown.width - wanted.width) <= most && Math.abs(shown.height - wanted.height) <= most
  tell('size', isSize ? null : `${wanted.width} × ${wanted.height} became ${shown.width} × ${shown.height}`)
  const profile = profileOf(original.tags)
  if (profile?.space === 'RGB' && (await isForBrowsers('profile', original.type, original.path)))
    tell('profile', await whyOtherProfile(original, result, exiftool))
  if (original.whyNoPixels !== null || original.pixels === null) {
    judged.notJudged.push(`colour: ${original.whyNoPixels}`)
    return
  }
  const turned = !isConverted && orientationOf(result.tags) > 1
  const pixels = await pixelsByVips(result.path, { maxSide: MAX_SIDE, turned })
  if (pixels === null) return tell('colour', 'vips cannot decode the result')
  const longer = Math.max(shown.width, shown.height)
  const shownBefore = longer < MAX_SIDE && isVariant ? await smaller(original, longer) : original.pixels
  if (shownBefore === null) return tell('colour', 'vips cannot scale the original')
  if (Math.abs(pixels.width - shownBefore.width) > 1 || Math.abs(pixels.height - shownBefore.height) > 1) {
    if (isSize) tell('colour', 'of another shape')
    return
  }
  const made = (await asBrowsersShow(result.tags, pixels)).pixels ?? pixels
  const found = compare(shownBefore, made)
  const before = { ...original, pixels: shownBefore }
  const allowed = await mostDifference(before, found, { isConverted, side: isVariant ? longer : null }, policy)
  const whyColour = whyOtherColours(found, allowed)
  tell('colour', whyColour)
  if (original.isTurned) tell('orientation', isSize ? whyColour : 'of another shape')
  if (hasTransparency(shownBefore)) tell('alpha', whyOtherAlpha(shownBefore, made, found, allowed))
}

/** The size that a narrower file should have; that of the full one where no such width was asked for. */
function atWidth(full: Size, width: number, { widths }: Policy): Size {
  const isWanted = widths.includes(width) && width < full.width
  return isWanted ? { width, height: Math.max(1, Math.round((full.height * width) / full.width)) } : full
}

/** The original as it is shown at a smaller size, with the same corrections. */
async function smaller({ path, tags, isTurned }: Original, maxSide: number): Promise<Pixels | null> {
  const isInk = profileOf(tags)?.space === 'CMYK'
  const pixels = await pixelsByVips(path, { maxSide, turned: isTurned, isInk })
  return (await asBrowsersShow(tags, pixels)).pixels
}

async function whyOtherProfile(original: Original, result: Result, exiftool: ExifTool): Promise<string | null> {
  const [before, after] = [profileOf(original.tags), profileOf(result.tags)]
  if (before?.name !== after?.name) return `${before?.name} became ${after?.name ?? 'none'}`
  const [first, second] = await exiftool.profiles([original.path, result.path])
  return first === second ? null : `${before?.name} has other bytes`
}

function whyOtherColours(found: Difference, allowed: Difference): string | null {
  const over = (['deltaE', 'shift'] as const).find((kind) => found[kind] > allowed[kind])
  if (over === undefined) return null
  const what = over === 'shift' ? 'of whole areas ' : ''
  return `ΔE ${what}${found[over].toFixed(1)}, at most ${allowed[over].toFixed(1)}`
}

function whyOtherAlpha(before: Pixels, after: Pixels, found: Difference, allowed: Difference): string | null {
  if (found.alpha > allowed.alpha) return `${found.alpha.toFixed(1)} of 255, at most ${allowed.alpha.toFixed(1)}`
  const [least, now] = [leastOpacity(before), leastOpacity(after)]
  return now - least > CLEARER ? `its clearest pixel has ${now} of 255, and had ${least}` : null
}

async function mostDifference(
  { path, type, tags, isTurned, pixels }: Original,
  found: Difference,
  { isConverted, side }: { isConverted: boolean; side: number | null },
  { quality }: Policy,
): Promise<Difference> {
  const kinds = Object.keys(UNSUSPICIOUS) as (keyof Difference)[]
  if (kinds.every((kind) => found[kind] <= UNSUSPICIOUS[kind])) return UNSUSPICIOUS
  // AVIF has to look about as good as WebP at the same number.
  const suffix = isConverted ? `other.webp[Q=${quality}]` : (LIKE_SERVICE[type] ?? 'other.png')
  const view = { maxSide: side === null ? MAX_SIDE : Math.min(side, MAX_SIDE), turned: isTurned }
  const other = await pixelsAfterEncoding(path, { ...view, suffix, encodedSide: side ?? 16_000 })
  if (other === null || pixels === null) return UNSUSPICIOUS
  const losses = [compare(pixels, other)]
  // Of an odd profile's numbers, such as XYB, and beside clear areas, an encoder loses more than of the same colours in sRGB.
  if (isConverted && side === null && standsForItself(tags)) {
    const plain = await pixelsAfterPlainWebp(path, view, quality)
    if (plain !== null) losses.push(compare(pixels, plain))
  }
  const allowed = kinds.map((kind) => {
    const loss = Math.max(...losses.map((each) => each[kind]))
    return [kind, Math.max(UNSUSPICIOUS[kind], loss * SHARE_OF_LOSS + BESIDE_LOSS[kind])] as const
  })
  return Object.fromEntries(allowed) as unknown as Difference
}

/** Whether the result should have the numbers of the original: then another encoder that is given just these is a fair measure. */
function standsForItself(tags: Tags): boolean {
  const profile = profileOf(tags)
  const isRgb = profile === null ? tags['File:ColorComponents'] !== 4 : profile.space === 'RGB'
  return isRgb && tags['PNG:Gamma'] === undefined
}

/** By the bytes; empty where exiftool does not know it. */
export function typeOf(tags: Tags): string {
  return textOf(tags['File:FileType']).replace(/^Extended /, '')
}

/** By vips where exiftool cannot find it. */
async function storedSize(path: string, tags: Tags): Promise<Size> {
  const size = sizeOf(tags)
  return size.width > 0 ? size : ((await sizeByVips(path)) ?? size)
}

/** In pixels as they are stored. */
export function sizeOf(tags: Tags): Size {
  const [, width = '0', height = '0'] = /^(\d+)x(\d+)$/.exec(textOf(tags['Composite:ImageSize'])) ?? []
  return { width: Number(width), height: Number(height) }
}

const ORIENTATIONS = (
  'Horizontal (normal)|Mirror horizontal|Rotate 180|Mirror vertical|' +
  'Mirror horizontal and rotate 270 CW|Rotate 90 CW|Mirror horizontal and rotate 90 CW|Rotate 270 CW'
).split('|')

function orientationOf(tags: Tags): number {
  return Math.max(1, ORIENTATIONS.indexOf(textOf(tags['IFD0:Orientation'])) + 1)
}
