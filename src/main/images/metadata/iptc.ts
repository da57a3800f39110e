import { textOfBytes } from './text-of-bytes.ts'

/** The second record of IPTC-IIM, by data set number (IIM 4.2, section 6). Lists keep their order. */
export type IptcFields = ReadonlyMap<number, readonly string[]>

const HEADER_BYTES = 5

interface DataSet {
  record: number
  number: number
  value: Buffer
}

/** Reads up to the first malformed record. Never throws. */
export function readIptc(records: Buffer): IptcFields {
  const fields = new Map<number, string[]>()
  for (const { record, number, value } of dataSetsIn(records)) {
    const text = record === 2 ? textOfBytes(value).replaceAll('\0', ' ').trim() : ''
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

const IPTC_RESOURCE = 0x0404
/** What Photoshop and its plugins begin a resource with. */
const SIGNATURES = new Set(['8BIM', 'PHUT', 'AgHg', 'DCSR', 'MeSa'])

/** The first IPTC records in Photoshop's image resources, up to malformed data. */
export function iptcIn(resources: Buffer): Buffer | null {
  for (let at = 0; at + 12 <= resources.length;) {
    if (!SIGNATURES.has(resources.toString('latin1', at, at + 4))) return null
    // A Pascal string, padded to an even number of bytes.
    const nameBytes = 1 + resources[at + 6]!
    const sizeAt = at + 6 + nameBytes + (nameBytes & 1)
    if (sizeAt + 4 > resources.length) return null
    const sizeBytes = resources.readUInt32BE(sizeAt)
    const end = sizeAt + 4 + sizeBytes
    if (end > resources.length) return null
    if (resources.readUInt16BE(at + 4) === IPTC_RESOURCE) return resources.subarray(sizeAt + 4, end)
    at = end + (sizeBytes & 1)
  }
  return null
}
