import { chunksBeforePixels, pngChunks, pngOf, type PngChunk } from './png-chunks.ts'

/** One frame of an animation: its picture, its position, and how it is combined with the canvas, within which it lies. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
  delayMs: number
  /** What happens to its area before the next frame: it stays, is cleared, or is restored. */
  dispose: 'keep' | 'clear' | 'restore'
  /** Its pixels replace those of the canvas, or are laid over them by their alpha. */
  blend: 'replace' | 'over'
}

export interface Canvas {
  width: number
  height: number
}

/** An animated PNG, taken apart (PNG specification, third edition, 11.3.6). */
interface Apng {
  canvas: Canvas
  frames: Frame[]
  /** How often it plays; 0 for ever. */
  plays: number
  /** A frame as a still PNG, with the chunks that define how its pixels are interpreted. */
  pngOfFrame(nth: number): Buffer
}

const DISPOSE = ['keep', 'clear', 'restore'] as const
const BLEND = ['replace', 'over'] as const
/** Chunks that only make sense in the whole animation. */
const NOT_IN_FRAMES = new Set(['IHDR', 'acTL', 'fcTL'])

/** How many frames a PNG says that it has; 1 for a still one. Only its head is read. */
export function apngFrameCount(bytes: Buffer): number {
  for (const { name, data } of chunksBeforePixels(bytes))
    if (name === 'acTL' && data.length >= 8) return Math.max(1, data.readUInt32BE(0))
  return 1
}

/** Throws an `Error` that says what is wrong when the frames do not match the file's header. */
export function readApng(bytes: Buffer): Apng {
  const head = [...chunksBeforePixels(bytes)]
  const header = head.find(({ name }) => name === 'IHDR')?.data
  const control = head.find(({ name }) => name === 'acTL')?.data
  if (header === undefined || control === undefined || control.length < 8) throw new Error('no animation')
  const canvas = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
  const { frames, pixels } = framesOf(bytes, canvas)
  const declared = control.readUInt32BE(0)
  if (frames.length !== declared) throw new Error(`${frames.length} of ${declared} frames`)
  const shared = head.filter(({ name }) => !NOT_IN_FRAMES.has(name))
  return {
    canvas,
    frames,
    plays: control.readUInt32BE(4),
    pngOfFrame(nth) {
      const { width, height } = frames[nth]!
      const own = Buffer.from(header)
      own.writeUInt32BE(width, 0)
      own.writeUInt32BE(height, 4)
      const data = Buffer.concat(pixels[nth]!)
      return pngOf([
        { name: 'IHDR', data: own },
        ...shared,
        { name: 'IDAT', data },
        { name: 'IEND', data: Buffer.alloc(0) },
      ])
    },
  }
}

function framesOf(bytes: Buffer, canvas: Canvas): { frames: Frame[]; pixels: Buffer[][] } {
  const frames: Frame[] = []
  const pixels: Buffer[][] = []
  // All frames share one sequence of chunk numbers.
  let next = 0
  const inOrder = (data: Buffer): void => {
    if (data.length < 4 || data.readUInt32BE(0) !== next) throw new Error('frames out of order')
    next += 1
  }
  for (const { name, data, isSound } of framesChunks(bytes)) {
    if (!isSound) throw new Error(`bad checksum of ${name}`)
    if (name === 'fcTL') {
      inOrder(data)
      frames.push(readFrame(data, canvas))
      pixels.push([])
    } else if (name === 'fdAT') {
      inOrder(data)
      if (pixels.length === 0) throw new Error('pixels of no frame')
      pixels.at(-1)!.push(data.subarray(4))
      // Before the first fcTL it is a fallback picture for viewers without animation, and not a frame.
    } else pixels.at(-1)?.push(data)
  }
  // The canvas starts clear, so "as it was before" means clear too.
  if (frames[0]?.dispose === 'restore') frames[0].dispose = 'clear'
  return { frames, pixels }
}

function* framesChunks(bytes: Buffer): Generator<PngChunk> {
  for (const chunk of pngChunks(bytes)) if (['fcTL', 'fdAT', 'IDAT'].includes(chunk.name)) yield chunk
}

function readFrame(data: Buffer, canvas: Canvas): Frame {
  if (data.length < 26) throw new Error('bad frame')
  const [width, height] = [data.readUInt32BE(4), data.readUInt32BE(8)]
  const [left, top] = [data.readUInt32BE(12), data.readUInt32BE(16)]
  const isInside = left + width <= canvas.width && top + height <= canvas.height
  const [dispose, blend] = [DISPOSE[data[24]!], BLEND[data[25]!]]
  if (width === 0 || height === 0 || !isInside || dispose === undefined || blend === undefined)
    throw new Error('bad frame')
  // A denominator of zero means hundredths of a second.
  const delayMs = (data.readUInt16BE(20) * 1000) / (data.readUInt16BE(22) || 100)
  return { left, top, width, height, delayMs, dispose, blend }
}
