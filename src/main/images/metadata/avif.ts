import { MalformedImage, nothingFound, withoutExifPrefix, type Container, type NewParts } from './container.ts'
import { dataOf, endOfBoxes, readItemFile, type Item, type ItemFile, type Reference } from './item-boxes.ts'

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

  rewrite(bytes, parts, keeps) {
    const file = readItemFile(bytes)
    if (file.boxes.some(({ type }) => type === 'moov')) throw new MalformedImage('no still picture')
    const isGone = (item: Item): boolean =>
      keeps === 'picture'
        ? ['Exif', 'mime', 'uri '].includes(item.type)
        : (parts.exif !== undefined && item.type === 'Exif') || (parts.xmp !== undefined && isXmp(item))
    const [gone, added] = [file.items.filter(isGone), newItems(file, parts)]
    const isAsItIs = gone.length + added.length === 0 && file.boxes.at(-1)?.end === bytes.length
    return isAsItIs ? bytes : write(file, gone, added)
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

function isXmp({ type, contentType }: Item): boolean {
  return type === 'mime' && contentType === XMP_TYPE
}

/** An item, its entry in the list of items, and its bytes. */
interface Content {
  id: number
  infe: Buffer
  data: Buffer
}

function newItems({ items }: ItemFile, { exif, xmp }: NewParts): Content[] {
  let id = Math.max(0, ...items.map((item) => item.id))
  const made: Content[] = []
  const add = (type: string, rest: string, data: Buffer): void => {
    id += 1
    if (id > 0xffff) throw new MalformedImage('too many items')
    made.push({ id, infe: box('infe', [u32(2 << 24), u16(id), u16(0), text(`${type}\0${rest}`)]), data })
  }
  if (exif) add('Exif', '', Buffer.concat([u32(0), exif]))
  if (xmp) add('mime', `${XMP_TYPE}\0`, xmp)
  return made
}

/** A file with all items but those in `gone`, and with the added ones: what they hold follows their descriptions, one after the other. */
function write(file: ItemFile, gone: Item[], added: Content[]): Buffer {
  const kept = file.items.filter((item) => !gone.includes(item))
  const items = [...kept.map((item) => ({ id: item.id, infe: item.infe, data: dataOf(file, item) })), ...added]
  const goneIds = new Set(gone.map(({ id }) => id))
  const references = file.references
    .filter(({ from }) => !goneIds.has(from))
    .map((reference) => ({ ...reference, to: reference.to.filter((id) => !goneIds.has(id)) }))
    .filter(({ to }) => to.length > 0)
  for (const { id } of added) references.push({ type: 'cdsc', from: id, to: [file.primary] })
  const head = file.boxes.filter(({ type }) => type === 'ftyp').map(({ start, end }) => file.bytes.subarray(start, end))
  // Its size does not depend on the places in it.
  const sizeOfMeta = metaBox(file, items, references, 0).length
  const dataAt = Buffer.concat(head).length + sizeOfMeta + 8
  return Buffer.concat([
    ...head,
    metaBox(file, items, references, dataAt),
    box(
      'mdat',
      items.map(({ data }) => data),
    ),
  ])
}

function metaBox({ bytes, meta, inMeta }: ItemFile, items: Content[], references: Reference[], dataAt: number): Buffer {
  const made = new Map([
    ['iinf', box('iinf', [u32(0), u16(items.length), ...items.map(({ infe }) => infe)])],
    ['iloc', itemLocations(items, dataAt)],
    ['iref', itemReferences(references)],
  ])
  // In their order: some programs apply properties to the items that they know by then.
  const children = inMeta
    .filter(({ type }) => type !== 'free' && type !== 'idat')
    .map(({ type, start, end }) => {
      const replacement = made.get(type) ?? bytes.subarray(start, end)
      made.delete(type)
      return replacement
    })
  return box('meta', [bytes.subarray(meta.dataStart, meta.dataStart + 4), ...children, ...made.values()])
}

/** Version 1, with offsets and lengths of four bytes. */
function itemLocations(items: Content[], dataAt: number): Buffer {
  let at = dataAt
  const rows = items.map(({ id, data }) => {
    const extent = data.length === 0 ? [] : [u32(at), u32(data.length)]
    at += data.length
    return Buffer.concat([u16(id), u16(0), u16(0), u16(extent.length / 2), ...extent])
  })
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
