import { MalformedImage } from './container.ts'

/* AVIF and HEIC: items in the boxes of the ISO base media file format (ISO 14496-12, 23008-12). */

/** A box of the ISO base media file format. */
export interface Box {
  type: string
  start: number
  dataStart: number
  end: number
}

interface Extent {
  offset: number
  length: number
}

export interface Item {
  id: number
  type: string
  contentType: string
  /** 0: in the file; 1: in the `idat` box. Others are rejected. */
  method: number
  extents: Extent[]
  infe: Buffer
  /** Where the file has the lowest byte of its flags. */
  flagsAt: number
}

export interface Reference {
  type: string
  from: number
  to: number[]
}

export interface ItemFile {
  bytes: Buffer
  boxes: Box[]
  meta: Box
  inMeta: Box[]
  primary: number
  items: Item[]
  references: Reference[]
}

/** Of boxes in a box, and of places of items: far more than any camera writes, and little memory. */
const MAX_PARTS = 100_000

export function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to; at = boxes.at(-1)!.end) {
    if (boxes.length === MAX_PARTS) throw new MalformedImage('too many boxes')
    boxes.push(boxAt(bytes, at, to))
  }
  return boxes
}

export function boxAt(bytes: Buffer, start: number, to: number): Box {
  const type = bytes.toString('latin1', start + 4, start + 8)
  let sizeBytes = bytes.readUInt32BE(start)
  let head = 8
  if (sizeBytes === 1) {
    sizeBytes = Number(bytes.readBigUInt64BE(start + 8))
    head = 16
  } else if (sizeBytes === 0) sizeBytes = to - start
  if (sizeBytes < head || start + sizeBytes > to) throw new MalformedImage('a box past the end')
  return { type, start, dataStart: start + head, end: start + sizeBytes }
}

/** Top-level boxes, one of which must be the metadata; the first thing that is no box is data after the end. */
export function endOfBoxes(bytes: Buffer): number {
  let at = 0
  let hasMeta = false
  while (at + 8 <= bytes.length && /^[a-z0-9 ]{4}$/i.test(bytes.toString('latin1', at + 4, at + 8))) {
    const box = boxAt(bytes, at, bytes.length)
    hasMeta ||= box.type === 'meta'
    at = box.end
  }
  if (!hasMeta) throw new MalformedImage('no still picture')
  return at
}

export function readItemFile(bytes: Buffer): ItemFile {
  const boxes = boxesIn(bytes, 0, bytes.length)
  const meta = boxes.find(({ type }) => type === 'meta')
  if (meta === undefined) throw new MalformedImage('no still picture')
  const inMeta = boxesIn(bytes, meta.dataStart + 4, meta.end)
  const need = (type: string): Box => {
    const box = inMeta.find((candidate) => candidate.type === type)
    if (box === undefined) throw new MalformedImage(`no ${type}`)
    return box
  }
  const pitm = need('pitm').dataStart
  const primary = bytes[pitm] === 0 ? bytes.readUInt16BE(pitm + 4) : bytes.readUInt32BE(pitm + 4)
  const locations = readLocations(bytes, need('iloc'))
  const items = readItems(bytes, need('iinf')).map((item) => ({ ...item, ...locations.get(item.id) }))
  const iref = inMeta.find(({ type }) => type === 'iref')
  const references = iref === undefined ? [] : readReferences(bytes, iref)
  return { bytes, boxes, meta, inMeta, primary, items, references }
}

function readItems(bytes: Buffer, iinf: Box): Item[] {
  const isWide = bytes[iinf.dataStart] !== 0
  return boxesIn(bytes, iinf.dataStart + (isWide ? 8 : 6), iinf.end).map(({ start, dataStart, end }) => {
    const version = bytes[dataStart]!
    if (version !== 2 && version !== 3) throw new MalformedImage('an item of another version')
    const id = version === 2 ? bytes.readUInt16BE(dataStart + 4) : bytes.readUInt32BE(dataStart + 4)
    // The id is followed by protection, type and name.
    const typeAt = dataStart + (version === 2 ? 8 : 10)
    const texts = bytes.toString('latin1', typeAt + 4, end).split('\0', 2)
    const type = bytes.toString('latin1', typeAt, typeAt + 4)
    return {
      id,
      type,
      contentType: texts[1] ?? '',
      method: 0,
      extents: [],
      infe: bytes.subarray(start, end),
      flagsAt: dataStart + 3,
    }
  })
}

function readLocations(bytes: Buffer, iloc: Box): Map<number, { method: number; extents: Extent[] }> {
  const version = bytes[iloc.dataStart]!
  if (version > 2) throw new MalformedImage('locations of another version')
  const sizes = bytes.readUInt16BE(iloc.dataStart + 4)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15] as const
  const indexSize = version === 0 ? 0 : sizes & 15
  let at = iloc.dataStart + 6
  const number = (sizeBytes: number): number => {
    if (sizeBytes > 0 && at + sizeBytes > iloc.end) throw new MalformedImage('locations past the end')
    const value =
      sizeBytes === 0 ? 0 : sizeBytes === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, sizeBytes)
    at += sizeBytes
    return value
  }
  const locations = new Map<number, { method: number; extents: Extent[] }>()
  const count = number(version < 2 ? 2 : 4)
  let parts = 0
  for (let index = 0; index < count; index++) {
    const id = number(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : number(2) & 15
    if (method > 1) throw new MalformedImage('an item made of other items')
    // Not in this file.
    if (number(2) !== 0) throw new MalformedImage('an item in another file')
    const base = number(baseSize)
    const length = number(2)
    parts += 1 + length
    if (parts > MAX_PARTS) throw new MalformedImage('an item in too many places')
    const extents = Array.from({ length }, () => {
      number(indexSize)
      return { offset: base + number(offsetSize), length: number(lengthSize) }
    })
    locations.set(id, { method, extents })
  }
  return locations
}

function readReferences(bytes: Buffer, iref: Box): Reference[] {
  const width = bytes[iref.dataStart] === 0 ? 2 : 4
  return boxesIn(bytes, iref.dataStart + 4, iref.end).map(({ type, dataStart, end }) => {
    const count = bytes.readUInt16BE(dataStart + width)
    const toAt = dataStart + width + 2
    if (toAt + count * width > end) throw new MalformedImage('references past the end')
    const to = Array.from({ length: count }, (_, index) => bytes.readUIntBE(toAt + index * width, width))
    return { type, from: bytes.readUIntBE(dataStart, width), to }
  })
}

export function dataOf({ bytes, inMeta }: ItemFile, { method, extents }: Item): Buffer {
  const origin = method === 1 ? (inMeta.find(({ type }) => type === 'idat')?.dataStart ?? 0) : 0
  return Buffer.concat(extents.map(({ offset, length }) => within(bytes, origin + offset, length)))
}

/** A length of zero extends to the end of the file. */
function within(bytes: Buffer, offset: number, length: number): Buffer {
  if (offset + length > bytes.length) throw new MalformedImage('an item past the end')
  return bytes.subarray(offset, length === 0 ? bytes.length : offset + length)
}
