import {
  MalformedImage,
  nothingFound,
  withoutExifPrefix,
  type Container,
  type NewMetadata,
  type Replaced,
} from './container.ts'
import {
  dataOf,
  endOfBoxes,
  readItemFile,
  within,
  type Box,
  type Item,
  type ItemFile,
  type Reference,
} from './item-boxes.ts'

const XMP_TYPE = 'application/rdf+xml'

/** Only still pictures are written: an image sequence has offsets in a second table. */
export const avif: Container = {
  read(bytes) {
    const found = nothingFound()
    const file = readItemFile(bytes)
    for (const item of file.items) {
      if (item.type === 'Exif') {
        const data = dataOf(file, item)
        // The first number is the offset of the TIFF block from its own end.
        if (data.length > 4) found.exif ??= withoutExifPrefix(data.subarray(4))
      } else if (isXmp(item)) found.xmp.push(dataOf(file, item))
    }
    return found
  },

  end: endOfBoxes,

  rewrite(bytes, metadata, replace) {
    const file = readItemFile(bytes)
    if (file.boxes.some(({ type }) => type === 'moov')) throw new MalformedImage('no still picture')
    return write(file, file.items.filter(GOES_FOR[replace]), newItems(file, metadata))
  },
}

/** Read only: no result is a HEIC. */
export const heic: Container = {
  // Cameras put a video or a thumbnail behind the boxes.
  read: (bytes) => avif.read(bytes.subarray(0, endOfBoxes(bytes))),

  end: endOfBoxes,

  rewrite() {
    throw new MalformedImage('a HEIC is not written')
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

interface NewItem {
  id: number
  infe: Buffer
  data: Buffer
}

function newItems({ items }: ItemFile, { exif, xmp }: NewMetadata): NewItem[] {
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
function write(file: ItemFile, gone: Item[], added: NewItem[]): Buffer {
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
  file: ItemFile,
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
