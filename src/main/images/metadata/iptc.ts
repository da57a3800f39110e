import { textOfBytes } from './text-of-bytes.ts'

/** The second record of IPTC-IIM, by data set number (IIM 4.2, section 6). Lists keep their order. */
export type IptcFields = ReadonlyMap<number, readonly string[]>

const HEADER_BYTES = 5
const CHARACTER_SET = 90
const ESCAPE = 0x1b

interface DataSet {
  record: number
  number: number
  value: Buffer
}

/** Reads up to the first malformed record. Never throws. */
export function readIptc(records: Buffer): IptcFields {
  const found = dataSetsIn(records)
  const charset = charsetOf(found.find(({ record, number }) => record === 1 && number === CHARACTER_SET)?.value)
  const fields = new Map<number, string[]>()
  for (const { record, number, value } of found) {
    const text = record === 2 ? textOfBytes(value, charset).replaceAll('\0', ' ').trim() : ''
    if (text === '') continue
    const list = fields.get(number)
    if (list === undefined) fields.set(number, [text])
    else list.push(text)
  }
  return fields
}

function dataSetsIn(records: Buffer): DataSet[] {
  const found: DataSet[] = []
  for (let at = 0; at + HEADER_BYTES <= records.length && records[at] === 0x1c;) {
    const said = records.readUInt16BE(at + 3)
    // The highest bit marks a size that follows in as many bytes.
    const longer = said > 0x7fff ? said & 0x7fff : 0
    const start = at + HEADER_BYTES + longer
    if (longer > 4 || start > records.length) break
    const sizeBytes = longer > 0 ? records.readUIntBE(at + HEADER_BYTES, longer) : said
    if (start + sizeBytes > records.length) break
    found.push({
      record: records[at + 1]!,
      number: records[at + 2]!,
      value: records.subarray(start, start + sizeBytes),
    })
    at = start + sizeBytes
  }
  return found
}

/** Parts of ISO 8859 by the last character of the escape sequence that chooses one (ISO 2022). */
const PARTS = new Map([
  ['B', 2],
  ['C', 3],
  ['D', 4],
  ['L', 5],
  ['G', 6],
  ['F', 7],
  ['H', 8],
  ['V', 10],
  ['Y', 13],
  ['_', 14],
  ['b', 15],
  ['f', 16],
])

/** The declared character set, where it is one that nobody declares by mistake: neither UTF-8 nor Latin-1. */
function charsetOf(declared: Buffer | undefined): string | null {
  const isChoice = declared?.length === 3 && declared[0] === ESCAPE && '-./'.includes(String.fromCharCode(declared[1]!))
  const part = isChoice ? PARTS.get(String.fromCharCode(declared[2]!)) : undefined
  return part === undefined ? null : `iso-8859-${part}`
}

const IPTC_RESOURCE = 0x0404
/** What Photoshop and its plugins begin a resource with. */
const SIGNATURES = new Set(['8BIM', 'PHUT', 'AgHg', 'DCSR', 'MeSa'])

/** Photoshop's image resources by their number, the first of each, up to malformed data. */
export type PhotoshopResources = ReadonlyMap<number, Buffer>

export function photoshopResources(resources: Buffer): PhotoshopResources {
  const found = new Map<number, Buffer>()
  for (let at = 0; at + 12 <= resources.length;) {
    if (!SIGNATURES.has(resources.toString('latin1', at, at + 4))) break
    const id = resources.readUInt16BE(at + 4)
    // A Pascal string, padded to an even number of bytes.
    const nameBytes = 1 + resources[at + 6]!
    const sizeAt = at + 6 + nameBytes + (nameBytes & 1)
    if (sizeAt + 4 > resources.length) break
    const sizeBytes = resources.readUInt32BE(sizeAt)
    const end = sizeAt + 4 + sizeBytes
    if (end > resources.length) break
    if (!found.has(id)) found.set(id, resources.subarray(sizeAt + 4, end))
    at = end + (sizeBytes & 1)
  }
  return found
}

export function iptcIn(resources: PhotoshopResources): Buffer | null {
  return resources.get(IPTC_RESOURCE) ?? null
}

/** Photoshop's image resources with these records alone. */
export function photoshopWith(records: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.write('8BIM', 'latin1')
  head.writeUInt16BE(IPTC_RESOURCE, 4)
  head.writeUInt32BE(records.length, 8)
  return Buffer.concat([head, records, Buffer.alloc(records.length & 1)])
}
