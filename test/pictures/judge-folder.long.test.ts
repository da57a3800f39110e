import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import { contentOf } from '../cli/harness.ts'
import { judge } from '../images/judges.ts'
import { noise } from '../images/pictures.ts'
import { judgeFolder } from './judge-folder.ts'
import type { Judged, Policy } from './judge-picture.ts'
import { decoderOf, missingJudges } from './programs.ts'
import type { Report } from './report.ts'
import type { Ran } from './run-hangar.ts'

const JUDGES = ['exiftool', 'vips', 'djpeg', 'pngcheck', 'identify', 'webpmux', 'dwebp', 'avifdec', 'giftext', 'ffmpeg']

/** Differs from itself however it is turned, and is smaller as WebP. */
function photo(width = 160, height = 120, shift = 0): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0, y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels[at++] = (255 * x) / width
      pixels[at++] = (255 * y) / height
      pixels[at++] = shift + 30 * Math.sin(x / 9)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

async function moving(shifts: readonly number[]): Promise<Sharp> {
  const frames = await Promise.all(shifts.map((shift) => photo(160, 120, shift).png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
}

async function makePictures(folder: string): Promise<void> {
  const turned = join(folder, 'turned.jpg')
  await photo().jpeg({ quality: 97 }).toFile(turned)
  const tags = (
    '-Orientation#=6|-Artist=Ann Lee|-Copyright=Rights of Ann|-GPSLatitude=47.3|-GPSLatitudeRef=N|' +
    '-GPSLongitude=8.54|-GPSLongitudeRef=E'
  ).split('|')
  const { status } = judge('exiftool', [
    '-q',
    '-overwrite_original',
    ...tags,
    '-XMP-photoshop:City=Canary Hill',
    turned,
  ])
  expect(status).toBe(0)
  const wide = photo(160, 120, 90).withIccProfile('p3').jpeg({ quality: 97 })
  await wide.toFile(join(folder, 'wide.jpg'))
  const raw = { width: 160, height: 120, channels: 1 } as const
  const withHoles = (shift: number, alpha: Buffer, name: string) =>
    photo(160, 120, shift).joinChannel(alpha, { raw }).png().toFile(join(folder, name))
  await withHoles(160, Buffer.alloc(160 * 120, 255).fill(0, 0, 9000), 'hole.png')
  const pinhole = Buffer.alloc(160 * 120, 255)
  for (let y = 40; y < 46; y += 1) pinhole.fill(0, y * 160 + 60, y * 160 + 66)
  await withHoles(40, pinhole, 'pinhole.png')
  await (await moving([0, 60, 120, 180])).gif({ delay: [200, 200, 500, 200] }).toFile(join(folder, 'moving.gif'))
  const whole = await noise(64, 64).jpeg().toBuffer()
  await writeFile(join(folder, 'cut.jpg'), whole.subarray(0, whole.length / 2))
  await writeFile(join(folder, 'note.txt'), 'left out')
}

describeWith(programs(...JUDGES))('a folder of pictures, judged by other programs', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hangar-judged-'))
    await makePictures(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function judged(
    beforeJudging?: (copy: string, ran: Ran) => Promise<void>,
    output: 'beside' | 'replace' = 'beside',
    metadata: Policy['metadata'] = 'no-location',
    more: Partial<Policy> = {},
  ): Promise<{ report: Report; said: string[]; pictures: Map<string, Judged> }> {
    const said: string[] = []
    const pictures = new Map<string, Judged>()
    const report = await judgeFolder(folder, {
      policy: { format: 'webp', quality: 80, metadata, longEdge: null, widths: [], embedTexts: false, ...more },
      operation: 'process',
      output,
      keepsLarger: false,
      limit: Infinity,
      atATime: 2,
      say: (line) => said.push(line),
      onJudged: async (picture) => {
        pictures.set(picture.path, picture)
      },
      ...(beforeJudging === undefined ? {} : { beforeJudging }),
    })
    return { report, said, pictures }
  }

  it('finds nothing wrong with what Hangar makes, asks all it can, and leaves the folder as it is', async () => {
    expect(await missingJudges()).toEqual([])
    const before = await contentOf(folder)
    const more = { widths: [100, 120], embedTexts: true }
    const { report, said, pictures } = await judged(undefined, 'beside', 'no-location', more)
    expect(report.isClean, report.text()).toBe(true)
    expect(await contentOf(folder)).toEqual(before)
    const narrower = pictures.get('turned.jpg')!.findings.filter(({ role }) => role === 'variant')
    const narrowerChecks = 'whole place credits texts size colour orientation'.split(' ')
    expect(new Set(narrower.map(({ check }) => check))).toEqual(new Set(narrowerChecks))
    expect(narrower.filter(({ check }) => check === 'size')).toHaveLength(1)
    expect(said).toContain('left out: 1 × .txt')
    const asked = (name: string) => new Set(pictures.get(name)?.findings.map(({ check }) => check))
    const ofTurned = 'orientation place credits colour whole accepted texts'.split(' ')
    expect([...asked('turned.jpg')]).toEqual(expect.arrayContaining(ofTurned))
    expect([...asked('wide.jpg')]).toEqual(expect.arrayContaining(['profile', 'size']))
    expect([...asked('hole.png')]).toContain('alpha')
    expect([...asked('moving.gif')]).toEqual(expect.arrayContaining(['frames', 'timing']))
    expect(pictures.get('cut.jpg')).toMatchObject({ state: 'failed', reason: 'cut_off' })
    expect([...asked('cut.jpg')]).toContain('refusal')
  })

  it('judges what stands in the place of originals, and the originals once they were brought back', async () => {
    const { report, said, pictures } = await judged(undefined, 'replace')
    expect(report.isClean, report.text()).toBe(true)
    expect(report.text()).toMatch(/original +\| +6 \| +0 /)
    expect(said.some((line) => /^[1-5] originals were replaced and are brought back$/.test(line))).toBe(true)
    const findings = pictures.get('turned.jpg')!.findings
    expect(findings.some(({ check, role }) => check === 'place' && role === 'optimized')).toBe(true)
    const { report: harmed } = await judged(async (copy) => {
      await appendFile(join(copy, 'turned.jpg'), 'x')
    }, 'replace')
    expect(harmed.text()).toContain('original: turned.jpg: its bytes were changed')
  })

  it('knows a damaged GIF that other readers pass over', async () => {
    const [whole, open] = [join(folder, 'judged.gif'), join(folder, 'open.gif')]
    try {
      const gif = await photo(32, 32).gif().toBuffer()
      await writeFile(whole, gif)
      expect(await decoderOf('GIF', whole)).toMatchObject({ verdict: 'clean' })
      // Without its last byte, which only says that it ends.
      await writeFile(open, gif.subarray(0, -1))
      expect(await decoderOf('GIF', open)).toMatchObject({ verdict: 'fails' })
    } finally {
      for (const path of [whole, open]) await rm(path, { force: true })
    }
  })

  it('finds every kind of harm that is planted', async () => {
    const { report } = await judged(async (copy, ran) => {
      await appendFile(join(copy, 'wide.jpg'), 'x')
      await writeFile(join(copy, '.hangar-left.part'), 'x')
      const there = { GPSLatitudeRef: 'N', GPSLatitude: '47/1 18/1 0/1' }
      const upsideDown = await sharp(join(copy, 'turned.webp')).rotate(180).withExif({ IFD3: there }).webp().toBuffer()
      await writeFile(join(copy, 'turned.webp'), upsideDown)
      const place = ['-q', '-overwrite_original', '-XMP-dc:Description=Over Canary Hill']
      judge('exiftool', [...place, join(copy, 'turned-optimized.jpg')])
      const pale = sharp(join(copy, 'wide.webp')).modulate({ saturation: 0.5 }).resize(150, 120, { fit: 'fill' })
      await writeFile(join(copy, 'wide.webp'), await pale.webp().toBuffer())
      const opaque = await sharp(join(copy, 'hole.webp')).flatten({ background: '#fff' }).webp().toBuffer()
      await writeFile(join(copy, 'hole.webp'), opaque)
      const still = await sharp(join(copy, 'moving.webp')).withExif({ IFD3: there }).webp().toBuffer()
      await writeFile(join(copy, 'moving.webp'), still)
      const whole = await sharp(join(copy, 'hole.png')).png().toBuffer()
      // A result that was cut off.
      const [path, sizeBytes] = [join(copy, 'hole-cut.png'), whole.length - 100]
      await writeFile(path, whole.subarray(0, sizeBytes))
      const cut = { role: 'optimized', path, type: 'png', sizeBytes, sha256: '' }
      ran.outcomes.get(join(copy, 'hole.png'))!.outputs!.push(cut)
      ran.outcomes.get(join(copy, 'cut.jpg'))!.state = 'held'
    })
    const wrong = report.text()
    for (const expected of (
      'original: wide.jpg: its bytes were changed|left behind: .hangar-left.part|' +
      'orientation (converted): turned.jpg|colour (converted): turned.jpg|' +
      'credits (converted): turned.jpg: IFD0:Artist = Ann Lee|' +
      'place (optimized): turned.jpg: XMP-dc:Description = Over Canary Hill|' +
      'place (converted): turned.jpg: GPS:GPSLatitude|place (converted): moving.gif: GPS:GPSLatitude|' +
      'size (converted): wide.jpg: 160 × 120 became 150 × 120|profile (converted): wide.jpg|' +
      'alpha (converted): hole.png|frames (converted): moving.gif: 4 frames became a still|' +
      'whole (optimized): hole.png|answer: cut.jpg: it ended as held'
    ).split('|'))
      expect(wrong).toContain(expected)
  })
})
