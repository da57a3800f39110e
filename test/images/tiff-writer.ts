import { deflateSync } from 'node:zlib'

/** The fields by which a TIFF says how its pixels are stored, as numbers of TIFF 6.0. */
export interface TiffKind {
  photometric: number
  bits: number
  samples: number
  planes?: 1 | 2
  compression?: 1 | typeof DEFLATE
  isTiled?: boolean
  /** Of YCbCr: how many pixels share one Cb and Cr, across and down. */
  subsampling?: readonly [across: number, down: number]
}

export const [WIDTH, HEIGHT] = [48, 32]
export const [BYTE, SHORT, LONG] = [1, 3, 4]
const TILE = 16
const [PALETTE, CMYK, YCBCR] = [3, 5, 6]
export const DEFLATE = 8

/** How much of a sample a pixel has, from 0 to 1: every sample is a ramp of its own, so that none can pass for another. */
function levelAt(sample: number, x: number, y: number): number {
  const [right, down] = [x / (WIDTH - 1), y / (HEIGHT - 1)]
  return [right, 1 - down, (right + down) / 2, down / 2, 1 - right / 2][sample]!
}

/** A field in place of the usual one, or besides; null leaves it out. */
export type Changes = Readonly<Record<number, readonly [type: number, value: number] | null>>

/** A picture of smooth ramps in this kind of TIFF, in little-endian order. */
export function tiffOf(kind: TiffKind, changes: Changes = {}): Buffer {
  const { photometric, bits, samples, planes = 1, compression = 1, isTiled = false, subsampling } = kind
  const [width, height] = isTiled ? [TILE, TILE] : [WIDTH, HEIGHT]
  const chunks: Buffer[] = []
  for (let plane = 0; plane < (planes === 2 ? samples : 1); plane += 1)
    for (let top = 0; top < HEIGHT; top += height)
      for (let left = 0; left < WIDTH; left += width) {
        const stored = planes === 2 ? [plane] : Array.from({ length: samples }, (_, nth) => nth)
        const bytes = packed(kind, stored, { left, top, width, height })
        chunks.push(compression === DEFLATE ? deflateSync(bytes) : bytes)
      }
  const colours = { [PALETTE]: 1, [CMYK]: 4 }[photometric] ?? (photometric < 2 ? 1 : 3)
  const fields: Field[] = [
    [256, LONG, [WIDTH]],
    [257, LONG, [HEIGHT]],
    [258, SHORT, Array<number>(samples).fill(bits)],
    [259, SHORT, [compression]],
    [262, SHORT, [photometric]],
    [277, SHORT, [samples]],
    ...(isTiled ? [] : ([[278, LONG, [HEIGHT]]] satisfies Field[])),
    [284, SHORT, [planes]],
    ...(photometric === PALETTE ? ([[320, SHORT, paletteOf(bits)]] satisfies Field[]) : []),
    ...(isTiled ? [322, 323].map((tag): Field => [tag, LONG, [TILE]]) : []),
    // Not multiplied into the colours.
    ...(samples > colours ? ([[338, SHORT, Array<number>(samples - colours).fill(2)]] satisfies Field[]) : []),
    ...(subsampling === undefined ? [] : ([[530, SHORT, [...subsampling]]] satisfies Field[])),
  ]
  return assembled(fields, chunks, isTiled, changes)
}

interface Area {
  left: number
  top: number
  width: number
  height: number
}

function packed({ photometric, bits, planes, subsampling = [1, 1] }: TiffKind, stored: number[], area: Area): Buffer {
  const [across, down] = photometric === YCBCR ? subsampling : [1, 1]
  const isShared = (sample: number): boolean => photometric === YCBCR && sample > 0
  const values: number[] = []
  const push = (sample: number, x: number, y: number): void => {
    values.push(Math.round(levelAt(sample, x, y) * (2 ** bits - 1)))
  }
  const rows: number[][] = []
  const [blockWidth, blockHeight] = planes === 2 && !isShared(stored[0]!) ? [1, 1] : [across, down]
  for (let y = area.top; y < area.top + area.height; y += blockHeight) {
    for (let x = area.left; x < area.left + area.width; x += blockWidth)
      for (const sample of stored)
        if (isShared(sample)) push(sample, x, y)
        else
          for (let inner = 0; inner < blockWidth * blockHeight; inner += 1)
            push(sample, x + (inner % blockWidth), y + Math.floor(inner / blockWidth))
    rows.push(values.splice(0))
  }
  return Buffer.concat(rows.map((row) => bytesOf(row, bits)))
}

/** Every row begins with a byte of its own. */
function bytesOf(row: number[], bits: number): Buffer {
  if (bits === 16) return Buffer.from(Uint16Array.from(row).buffer)
  const bytes = Buffer.alloc(Math.ceil((row.length * bits) / 8))
  for (const [nth, value] of row.entries()) {
    const at = nth * bits
    bytes[at >> 3]! |= value << (8 - bits - (at & 7))
  }
  return bytes
}

/** All reds, then all greens and all blues: colours that no grey could be taken for. */
function paletteOf(bits: number): number[] {
  const count = 2 ** bits
  const ramp = Array.from({ length: count }, (_, nth) => Math.round((nth / (count - 1)) * 65_535))
  return [...ramp, ...ramp.toReversed(), ...ramp.map((value) => value >> 1)]
}

type Field = [tag: number, type: number, values: number[]]

function assembled(fields: Field[], chunks: Buffer[], isTiled: boolean, changes: Changes): Buffer {
  const HEAD_BYTES = 8
  const parts: Buffer[] = []
  let end = HEAD_BYTES
  const place = (bytes: Buffer): number => {
    const at = end
    // Values begin at even offsets.
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    parts.push(padded)
    end += padded.length
    return at
  }
  const [offsets, counts] = isTiled ? [324, 325] : [273, 279]
  const lengths = chunks.map(({ length }) => length)
  const usual: Field[] = [...fields, [offsets, LONG, chunks.map(place)], [counts, LONG, lengths]]
  const changed = Object.entries(changes).flatMap(([tag, field]): Field[] =>
    field === null ? [] : [[Number(tag), field[0], [field[1]]]],
  )
  const rows = [...usual.filter(([tag]) => !(tag in changes)), ...changed]
    .toSorted(([one], [other]) => one - other)
    .map(([tag, type, values]) => {
      const bytes = Buffer.from(
        { [BYTE]: Uint8Array, [SHORT]: Uint16Array }[type]?.from(values).buffer ?? Uint32Array.from(values).buffer,
      )
      const row = Buffer.alloc(12)
      row.writeUInt16LE(tag, 0)
      row.writeUInt16LE(type, 2)
      row.writeUInt32LE(values.length, 4)
      if (bytes.length <= 4) bytes.copy(row, 8)
      else row.writeUInt32LE(place(bytes), 8)
      return row
    })
  const head = Buffer.from('49492a0000000000', 'hex')
  head.writeUInt32LE(end, 4)
  const count = Buffer.alloc(2)
  count.writeUInt16LE(rows.length)
  return Buffer.concat([head, ...parts, count, ...rows, Buffer.alloc(4)])
}
