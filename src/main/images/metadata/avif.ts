import {
  MalformedImage,
  nothingFound,
  withoutExifPrefix,
  type Container,
  type NewMetadata,
  type Replaced,
} from './container.ts'

/** A box of the ISO base media file format. */
interface Box {
  type: string
  start: number
  dataStart: number
  end: number
}

interface Extent {
  offset: number
  length: number
}

interface Item {
  id: number
  type: string
  contentType: string
  /** 0: in the file; 1: in the `idat` box. Others are rejected. */
  method: number
  extents: Extent[]
  infe: Buffer
}

interface Reference {
  type: string
  from: number
  to: number[]
}

interface Parsed {
  bytes: Buffer
  boxes: Box[]
  meta: Box
  inMeta: Box[]
  primary: number
  items: Item[]
  references: Reference[]
}

const XMP_TYPE = 'application/rdf+xml'

/** Still pictures only: an image sequence has offsets in a second table, and is rejected. */
export const avif: Container = {
  read(bytes) {
    const found = nothingFound()
    const file = parse(bytes)
    for (const item of file.items) {
      if (item.type === 'Exif') {
        const data = dataOf(file, item)
        // The first number is the offset of the TIFF block from its own end.
        if (data.length > 4) found.exif ??= withoutExifPrefix(data.subarray(4))
      } else if (isXmp(item)) found.xmp.push(dataOf(file, item))
    }
    return found
  },

  rewrite(bytes, metadata, replace) {
    const file = parse(bytes)
    return write(file, file.items.filter(GOES_FOR[replace]), newItems(file, metadata))
  },
}

const GOES_FOR: Record<Replaced, (item: Item) => boolean> = {
  all: ({ type }) => ['Exif', 'mime', 'uri '].includes(type),
  exif: ({ type }) => type === 'Exif',
  xmp: isXmp,
}

function isXmp({ type, contentType }: Item): boolean {
  return type === 'mime' && contentType === XMP_TYPE
}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to;) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    let sizeBytes = bytes.readUInt32BE(at)
    let head = 8
    if (sizeBytes === 1) {
      sizeBytes = Number(bytes.readBigUInt64BE(at + 8))
      head = 16
    } else if (sizeBytes === 0) sizeBytes = to - at
    if (sizeBytes < head || at + sizeBytes > to) throw new MalformedImage('a box past the end')
    boxes.push({ type, start: at, dataStart: at + head, end: at + sizeBytes })
    at += sizeBytes
  }
  return boxes
}

function parse(bytes: Buffer): Parsed {
  const boxes = boxesIn(bytes, 0, bytes.length)
  const meta = boxes.find(({ type }) => type === 'meta')
  if (meta === undefined || boxes.some(({ type }) => type === 'moov')) throw new MalformedImage('no still picture')
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
    const texts = bytes.toString('latin1', typeAt + 4, end).split('\0')
    const type = bytes.toString('latin1', typeAt, typeAt + 4)
    return { id, type, contentType: texts[1] ?? '', method: 0, extents: [], infe: bytes.subarray(start, end) }
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
  for (let index = 0; index < count; index++) {
    const id = number(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : number(2) & 15
    if (method > 1) throw new MalformedImage('an item made of other items')
    // Not in this file.
    if (number(2) !== 0) throw new MalformedImage('an item in another file')
    const base = number(baseSize)
    const extents = Array.from({ length: number(2) }, () => {
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

function dataOf({ bytes, inMeta }: Parsed, { method, extents }: Item): Buffer {
  const origin = method === 1 ? (inMeta.find(({ type }) => type === 'idat')?.dataStart ?? 0) : 0
  return Buffer.concat(extents.map(({ offset, length }) => within(bytes, origin + offset, length)))
}

/** A length of zero extends to the end of the file. */
function within(bytes: Buffer, offset: number, length: number): Buffer {
  if (offset + length > bytes.length) throw new MalformedImage('an item past the end')
  return bytes.subarray(offset, length === 0 ? bytes.length : offset + length)
}

interface NewItem {
  id: number
  infe: Buffer
  data: Buffer
}

function newItems({ items }: Parsed, { exif, xmp }: NewMetadata): NewItem[] {
  let id = Math.max(0, ...items.map((item) => item.id))
  const made: NewItem[] = []
  const add = (type: string, rest: string, data: Buffer): void => {
    id += 1
    if (id > 0xffff) throw new MalformedImage('too many items')
    made.push({ id, infe: box('infe', [u32(2 << 24), u16(id), u16(0), text(`${type}\0${rest}`)]), data })
  }
  if (exif !== null) add('Exif', '', Buffer.concat([u32(0), exif]))
  if (xmp !== null) add('mime', `${XMP_TYPE}\0`, xmp)
  return made
}

/** The file without the items in `gone` and their bytes, and with the added ones, whose data is appended. */
function write(file: Parsed, gone: Item[], added: NewItem[]): Buffer {
  const bytes = Buffer.from(file.bytes)
  const idat = file.inMeta.find(({ type }) => type === 'idat')?.dataStart ?? 0
  for (const { method, extents } of gone)
    for (const { offset, length } of extents) within(bytes, offset + (method === 1 ? idat : 0), length).fill(0)

  const kept = file.items.filter((item) => !gone.includes(item))
  const holdsItem = (candidate: Box): boolean =>
    kept.some(({ method, extents }) => method === 0 && extents.some(({ offset }) => isIn(candidate, offset)))
  const boxes = file.boxes.filter(
    (candidate) => ['ftyp', 'meta'].includes(candidate.type) || (candidate.type === 'mdat' && holdsItem(candidate)),
  )
  // The size of the metadata box does not depend on the offsets in it, so it is built once to find them.
  const sizeOfMeta = metaBox(file, bytes, kept, added, () => 0).length
  let at = 0
  const moved = new Map<Box, number>()
  for (const candidate of boxes) {
    moved.set(candidate, at - candidate.start)
    at += candidate === file.meta ? sizeOfMeta : candidate.end - candidate.start
  }
  const newOffset = (offset: number): number => {
    const home = boxes.find((candidate) => candidate !== file.meta && isIn(candidate, offset))
    if (home === undefined) throw new MalformedImage('an item outside of the data')
    return offset + moved.get(home)!
  }
  const meta = metaBox(file, bytes, kept, added, (offset, isNew) => (isNew ? at + 8 + offset : newOffset(offset)))
  const parts = boxes.map((candidate) =>
    candidate === file.meta ? meta : sized(bytes.subarray(candidate.start, candidate.end), candidate),
  )
  const tail =
    added.length === 0
      ? []
      : [
          box(
            'mdat',
            added.map(({ data }) => data),
          ),
        ]
  return Buffer.concat([...parts, ...tail])
}

function isIn(candidate: Box, offset: number): boolean {
  return offset >= candidate.dataStart && offset < candidate.end
}

/** A size of zero means "to the end of the file", which is no longer true, so the real size is written. */
function sized(whole: Buffer, { dataStart, start }: Box): Buffer {
  if (whole.readUInt32BE(0) !== 0 || dataStart - start !== 8) return whole
  whole.writeUInt32BE(whole.length, 0)
  return whole
}

function metaBox(
  file: Parsed,
  bytes: Buffer,
  kept: Item[],
  added: NewItem[],
  place: (offset: number, isNew: boolean) => number,
): Buffer {
  const goneIds = new Set(file.items.filter((item) => !kept.includes(item)).map(({ id }) => id))
  const references = file.references
    .filter(({ from }) => !goneIds.has(from))
    .map((reference) => ({ ...reference, to: reference.to.filter((id) => !goneIds.has(id)) }))
    .filter(({ to }) => to.length > 0)
  for (const { id } of added) references.push({ type: 'cdsc', from: id, to: [file.primary] })
  const made = new Map([
    ['iinf', itemInfo(kept, added)],
    ['iloc', itemLocations(kept, added, place)],
    ['iref', itemReferences(references)],
  ])
  const children = file.inMeta
    .filter(({ type }) => type !== 'free')
    .map((child) => {
      const replacement = made.get(child.type) ?? bytes.subarray(child.start, child.end)
      made.delete(child.type)
      return replacement
    })
  return box('meta', [bytes.subarray(file.meta.dataStart, file.meta.dataStart + 4), ...children, ...made.values()])
}

function itemInfo(kept: Item[], added: NewItem[]): Buffer {
  const entries = [...kept, ...added].map(({ infe }) => infe)
  return box('iinf', [u32(0), u16(entries.length), ...entries])
}

/** Version 1, with offsets and lengths of four bytes. */
function itemLocations(kept: Item[], added: NewItem[], place: (offset: number, isNew: boolean) => number): Buffer {
  let used = 0
  const entries = [
    ...kept.map(({ id, method, extents }) => ({
      id,
      method,
      extents: extents.map(({ offset, length }) => ({ offset: method === 1 ? offset : place(offset, false), length })),
    })),
    ...added.map(({ id, data }) => {
      const extents = [{ offset: place(used, true), length: data.length }]
      used += data.length
      return { id, method: 0, extents }
    }),
  ]
  const rows = entries.map(({ id, method, extents }) =>
    Buffer.concat([
      u16(id),
      u16(method),
      u16(0),
      u16(extents.length),
      ...extents.flatMap(({ offset, length }) => [u32(offset), u32(length)]),
    ]),
  )
  return box('iloc', [u32(1 << 24), u16(0x4400), u16(rows.length), ...rows])
}

function itemReferences(references: Reference[]): Buffer {
  if (references.length === 0) return Buffer.alloc(0)
  return box('iref', [
    u32(0),
    ...references.map(({ type, from, to }) => box(type, [u16(from), u16(to.length), ...to.map(u16)])),
  ])
}

function box(type: string, parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts)
  return Buffer.concat([u32(data.length + 8), text(type), data])
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1')
