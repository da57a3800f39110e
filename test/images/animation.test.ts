import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { describeWith, programs } from '../needs.ts'
import type { ImageFailure, Inspected } from '../../src/main/core/picture-tasks.ts'
import { doImageTask } from '../../src/main/images/image-work.ts'
import { apng, type Rgba, type TestFrame } from './animations.ts'
import { fileOf, framesByImageMagick, judge } from './judges.ts'
import { animation, exifBlock } from './pictures.ts'
import { encoded } from './tasks.ts'

const limits = { framePixels: 1_000_000, totalPixels: 2_000_000 }
const inspect = (bytes: Buffer) => doImageTask({ kind: 'inspect', bytes, limits }) as Promise<Inspected | ImageFailure>
const webpOf = async (bytes: Buffer) => (await encoded(bytes, { quality: 100 })).bytes

const RED: Rgba = [255, 0, 0, 255]
const GREEN: Rgba = [0, 255, 0, 255]
const BLUE: Rgba = [0, 0, 255, 255]
const CLEAR: Rgba = [0, 0, 0, 0]
const full = (colour: Rgba, more: Partial<TestFrame> = {}): TestFrame => ({ width: 32, height: 16, colour, ...more })
const right = (colour: Rgba, more: Partial<TestFrame> = {}): TestFrame => ({
  width: 16,
  height: 16,
  left: 16,
  colour,
  ...more,
})

/** What is seen in the middle of the left and of the right half of each 32 × 16 frame. */
function halves(pixels: Buffer): [Rgba, Rgba][] {
  const at = (frame: number, x: number): Rgba => {
    const start = ((frame * 16 + 8) * 32 + x) * 4
    const [red, green, blue, alpha] = pixels.subarray(start, start + 4)
    return [red!, green!, blue!, alpha!]
  }
  return Array.from({ length: pixels.length / (32 * 16 * 4) }, (_, frame) => [at(frame, 8), at(frame, 24)])
}

function expectHalves(pixels: Buffer, expected: [Rgba, Rgba][]): void {
  const seen = halves(pixels)
  expect(seen).toHaveLength(expected.length)
  for (const [frame, sides] of expected.entries())
    for (const [side, colour] of sides.entries()) {
      const got = seen[frame]![side]!
      const off = got[3] === 0 && colour[3] === 0 ? 0 : Math.max(...got.map((value, n) => Math.abs(value - colour[n]!)))
      expect(off, `frame ${frame}, side ${side}: ${got.join(' ')}`).toBeLessThanOrEqual(4)
    }
}

describeWith(programs('pngcheck', 'convert', 'webpmux'))('an animated PNG', () => {
  it.each<[what: string, frames: TestFrame[], seen: [Rgba, Rgba][]]>([
    [
      'keeps what was there',
      [full(RED), right(GREEN)],
      [
        [RED, RED],
        [RED, GREEN],
      ],
    ],
    [
      'clears what it drew',
      [full(RED, { dispose: 1 }), right(GREEN)],
      [
        [RED, RED],
        [CLEAR, GREEN],
      ],
    ],
    [
      'goes back to what was there before',
      [full(RED), right(GREEN, { dispose: 2 }), { ...right(BLUE), left: 0 }],
      [
        [RED, RED],
        [RED, GREEN],
        [BLUE, RED],
      ],
    ],
    [
      'clears a first frame that would go back',
      [full(RED, { dispose: 2 }), right(GREEN)],
      [
        [RED, RED],
        [CLEAR, GREEN],
      ],
    ],
    [
      'replaces with what is clear',
      [full(RED), right(CLEAR, { blend: 0 })],
      [
        [RED, RED],
        [RED, CLEAR],
      ],
    ],
    [
      'lays what is clear over',
      [full(RED), right(CLEAR, { blend: 1 }), right(BLUE)],
      [
        [RED, RED],
        [RED, RED],
        [RED, BLUE],
      ],
    ],
    [
      'lays what is half clear over',
      [full(RED), right([0, 0, 255, 128], { blend: 1 })],
      [
        [RED, RED],
        [RED, [127, 0, 128, 255]],
      ],
    ],
  ])('%s, and is an animation as WebP', async (_what, frames, seen) => {
    const source = await apng(frames, { plays: 3 })
    const checked = judge('pngcheck', ['-q', fileOf('a.png', source)])
    expect(checked.words).not.toMatch(/error/i)
    expect(await inspect(source)).toMatchObject({ ok: true, type: 'png', animated: true, frames: frames.length })
    const made = await webpOf(source)
    const info = judge('webpmux', ['-info', fileOf('a.webp', made)]).words
    expect(info).toMatch(/Loop Count : 3/)
    // Frames that look the same as the one before may be one, which is on longer.
    const distinct = seen.filter((sides, n) => n === 0 || JSON.stringify(sides) !== JSON.stringify(seen[n - 1]))
    expectHalves(await sharp(made, { pages: -1 }).ensureAlpha().raw().toBuffer(), distinct)
    // ImageMagick 6 lays a frame of WebP over the canvas also where it is to replace what is there.
    const replaces = /\bno\s+\d+\s+loss/.test(info.split('2:')[1] ?? '') && JSON.stringify(seen).includes('0,0,0,0')
    if (!replaces) expectHalves(framesByImageMagick('a.webp', made), distinct)
  })

  it('keeps the time of each frame to a millisecond, and the sum of many', async () => {
    const frames = Array.from({ length: 30 }, (_, n) => full([n * 8, 255 - n * 8, 0, 255], { delay: [1, 30] }))
    const made = await webpOf(await apng([...frames, full(BLUE, { delay: [5, 0] })]))
    const { delay, loop, pages } = await sharp(made).metadata()
    expect([pages, loop]).toEqual([31, 0])
    const told = judge('webpmux', ['-info', fileOf('a.webp', made)]).words
    const times = [...told.matchAll(/^\s*\d+:\s+\d+\s+\d+\s+\w+\s+\d+\s+\d+\s+(\d+)/gm)].map(([, ms]) => Number(ms))
    expect(times).toEqual(delay)
    expect(times.slice(0, 30).every((ms) => ms === 33 || ms === 34)).toBe(true)
    expect(times.slice(0, 30).reduce((sum, ms) => sum + ms, 0)).toBe(1000)
    expect(times[30]).toBe(50)
  })

  it('shows none of a picture that is no frame of it', async () => {
    const source = await apng([full(RED), full(BLUE)], { hidden: full(GREEN) })
    expectHalves(framesByImageMagick('a.webp', await webpOf(source)), [
      [RED, RED],
      [BLUE, BLUE],
    ])
  })

  it('keeps its profile, its author and no place', async () => {
    const plain = await sharp({ create: { width: 32, height: 16, channels: 3, background: 'red' } })
      .png()
      .withIccProfile('p3')
      .toBuffer()
    const { icc } = await sharp(plain).metadata()
    const profile = (await import('../../src/main/images/png-chunks.ts')).pngChunks(plain)
    const iccp = [...profile].find(({ name }) => name === 'iCCP')!
    const extra = [
      { name: 'iCCP', data: iccp.data },
      { name: 'eXIf', data: exifBlock(1, 'II').subarray(6) },
    ]
    const made = await webpOf(await apng([full(RED), full(BLUE)], { extra }))
    expect((await sharp(made).metadata()).icc).toEqual(icc)
    expect(made.includes('Ann Lee')).toBe(true)
    expect(made.includes('Canary')).toBe(false)
    expectHalves(framesByImageMagick('a.webp', made), [
      [RED, RED],
      [BLUE, BLUE],
    ])
  })
})

describe('an animated PNG', () => {
  it('is scaled as each frame is seen, also where only a part of one changes', async () => {
    const part = { width: 9, height: 5, left: 13, top: 7, colour: GREEN }
    const made = await encoded(await apng([full(RED), part]), { longEdge: 6, quality: 100 })
    const isPart = (x: number, y: number) => x >= 13 && x < 22 && y >= 7 && y < 12
    const seen = Array.from({ length: 32 * 16 }, (_, at) => (isPart(at % 32, Math.floor(at / 32)) ? GREEN : RED)).flat()
    const raw = { width: 32, height: 16, channels: 4 } as const
    const whole = sharp(Buffer.from(seen), { raw }).resize({ width: 6 })
    const wanted = await whole.raw().toBuffer({ resolveWithObject: true })
    const got = await sharp(made.bytes, { page: 1 }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([got.info.width, got.info.height]).toEqual([wanted.info.width, wanted.info.height])
    // The outermost rows also have something of the frames before and after.
    const row = 6 * 4
    const inner = [...got.data].slice(row, -row).map((value, at) => Math.abs(value - wanted.data[row + at]!))
    expect(Math.max(...inner)).toBeLessThanOrEqual(24)
  })

  it('does not become a still AVIF, and a GIF neither', async () => {
    const options = { format: 'avif', quality: 100, metadata: 'strip' } as const
    for (const bytes of [await apng([full(RED), full(BLUE)]), await animation('gif', 3)])
      expect(await doImageTask({ kind: 'encode', bytes, limits, options })).toMatchObject({ reason: 'encode_failed' })
  })

  it('is damaged when a frame is missing, out of order or broken', async () => {
    const source = await apng([full(RED), right(GREEN), right(BLUE)])
    expect(await inspect(await apng([full(RED), right(GREEN)], { declared: 3 }))).toMatchObject({
      ok: false,
      reason: 'damaged',
    })
    const broken = Buffer.from(source)
    broken[source.lastIndexOf('fdAT') + 20]! ^= 0x55
    expect(await inspect(broken)).toMatchObject({ ok: false, reason: 'damaged' })
    const outside = await apng([full(RED), right(GREEN, { left: 17 })])
    expect(await inspect(outside)).toMatchObject({ ok: false, reason: 'damaged' })
  })

  it('counts the pixels of all its frames', async () => {
    const moving = [await apng([full(RED), full(BLUE), full(GREEN)]), await animation('gif', 4)]
    for (const [n, bytes] of moving.entries()) {
      const tight = [
        { framePixels: 600, totalPixels: 1500 },
        { framePixels: 1000, totalPixels: 3000 },
      ][n]!
      expect(await doImageTask({ kind: 'inspect', bytes, limits: tight })).toMatchObject({ reason: 'too_many_pixels' })
    }
  })

  it('is a still picture with one frame', async () => {
    expect(await inspect(await apng([full(RED)]))).toMatchObject({ ok: true, animated: false, frames: 1 })
  })

  it('is not made smaller to be sent', async () => {
    const bytes = await apng([full(RED), full(BLUE)])
    expect(await doImageTask({ kind: 'shrink', bytes, maxBytes: 50, limits })).toMatchObject({ reason: 'too_large' })
  })
})
