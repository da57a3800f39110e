import type { Canvas, Frame } from './compose-frames.ts'

interface GifFrame extends Frame {
  isTransparent: boolean
  /** Colour table and pixels, with the control block before them that says which colour is clear. */
  own: Buffer
}

/** A GIF taken apart. */
interface GifFrames {
  canvas: Canvas
  frames: Frame[]
  /** A frame as a separate still GIF of the frame's size. */
  gifOfFrame(nth: number): Buffer
}

const HEADER_BYTES = 13
const DESCRIPTOR_BYTES = 10
const DISPOSE = ['keep', 'keep', 'clear', 'restore'] as const

const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/**
 * Takes apart a GIF that the library would fill with colour where it is clear, as browsers show it: areas that no frame
 * covers although none is transparent, and those that a frame without transparency leaves behind. Null for all others,
 * and for what is no whole GIF.
 */
export function gifToDraw(bytes: Buffer): GifFrames | null {
  const canvas = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  const frames = framesOf(bytes)
  const first = frames?.[0]
  if (frames === null || first === undefined) return null
  const isUncovered = first.left > 0 || first.top > 0 || first.width < canvas.width || first.height < canvas.height
  const leavesUncovered = isUncovered && !frames.some(({ isTransparent }) => isTransparent)
  const leavesCleared = frames.slice(0, -1).some(({ dispose, isTransparent }) => dispose === 'clear' && !isTransparent)
  if (!leavesUncovered && !leavesCleared) return null
  const headEnd = HEADER_BYTES + tableBytes(bytes[10]!)
  return {
    canvas,
    frames,
    gifOfFrame(nth) {
      const { width, height, own } = frames[nth]!
      const head = Buffer.from(bytes.subarray(0, headEnd))
      head.writeUInt16LE(width, 6)
      head.writeUInt16LE(height, 8)
      return Buffer.concat([head, own, Buffer.from([0x3b])])
    },
  }
}

function framesOf(bytes: Buffer): GifFrame[] | null {
  const frames: GifFrame[] = []
  let control: Buffer | null = null
  let at = HEADER_BYTES + tableBytes(bytes[10]!)
  while (at < bytes.length) {
    const block = bytes[at]
    if (block === 0x3b) return frames
    if (block === 0x21) {
      if (bytes[at + 1] === 0xf9) control = bytes.subarray(at, at + 8)
      at = skipBlocks(bytes, at + 2)
    } else if (block === 0x2c && at + DESCRIPTOR_BYTES < bytes.length) {
      const end = skipBlocks(bytes, at + DESCRIPTOR_BYTES + tableBytes(bytes[at + 9]!) + 1)
      frames.push(readFrame(bytes.subarray(at, end), control))
      control = null
      at = end
    } else return null
  }
  return null
}

function readFrame(own: Buffer, control: Buffer | null): GifFrame {
  const flags = control?.[3] ?? 0
  const alone = Buffer.from(own)
  alone.writeUInt32LE(0, 1)
  return {
    left: own.readUInt16LE(1),
    top: own.readUInt16LE(3),
    width: own.readUInt16LE(5),
    height: own.readUInt16LE(7),
    // Times are the library's: it reads them as browsers do.
    delayMs: 0,
    dispose: DISPOSE[(flags >> 2) & 7] ?? 'keep',
    blend: 'over',
    isTransparent: (flags & 1) === 1,
    own: control === null ? alone : Buffer.concat([withoutDisposal(control), alone]),
  }
}

function withoutDisposal(control: Buffer): Buffer {
  const alone = Buffer.from(control)
  alone[3]! &= 1
  return alone
}

/** Data sub-blocks: a length and as many bytes, until a length of zero. */
function skipBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}
