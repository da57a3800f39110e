/** The second record of IPTC-IIM, by data set number (IIM 4.2, section 6). Lists keep their order. */
type IptcFields = ReadonlyMap<number, readonly string[]>

const CHARACTER_SET = 90
const UTF8_MARK = '\x1b%G'
const HEADER_BYTES = 5

/** Reads up to the first malformed record. Never throws. */
export function readIptc(records: Buffer): IptcFields {
  const values: [number, Buffer][] = []
  let isUtf8 = false
  for (let at = 0; at + HEADER_BYTES <= records.length && records[at] === 0x1c;) {
    const [record, dataSet] = [records[at + 1]!, records[at + 2]!] as const
    const sizeBytes = records.readUInt16BE(at + 3)
    const end = at + HEADER_BYTES + sizeBytes
    // The highest bit marks a size of more than two bytes, which none of the wanted data sets needs.
    if (sizeBytes > 0x7fff || end > records.length) break
    const value = records.subarray(at + HEADER_BYTES, end)
    if (record === 1 && dataSet === CHARACTER_SET) isUtf8 = value.toString('latin1') === UTF8_MARK
    if (record === 2) values.push([dataSet, value])
    at = end
  }
  const fields = new Map<number, string[]>()
  for (const [dataSet, value] of values) {
    const text = textOf(value, isUtf8).replaceAll('\0', ' ').trim()
    if (text === '') continue
    const list = fields.get(dataSet)
    if (list === undefined) fields.set(dataSet, [text])
    else list.push(text)
  }
  return fields
}

/** Many programs write UTF-8 without declaring it. */
function textOf(value: Buffer, isUtf8: boolean): string {
  if (isUtf8) return value.toString('utf8')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(value)
  } catch {
    return value.toString('latin1')
  }
}

const IPTC_RESOURCE = 0x0404

/** The IPTC records among Photoshop's image resources (`8BIM`), or null. The search ends at malformed data. */
export function iptcInPhotoshop(resources: Buffer): Buffer | null {
  for (let at = 0; at + 12 <= resources.length;) {
    if (resources.toString('latin1', at, at + 4) !== '8BIM') return null
    const id = resources.readUInt16BE(at + 4)
    // A Pascal string, padded to an even number of bytes.
    const nameBytes = 1 + resources[at + 6]!
    const sizeAt = at + 6 + nameBytes + (nameBytes & 1)
    if (sizeAt + 4 > resources.length) return null
    const sizeBytes = resources.readUInt32BE(sizeAt)
    const end = sizeAt + 4 + sizeBytes
    if (end > resources.length) return null
    if (id === IPTC_RESOURCE) return resources.subarray(sizeAt + 4, end)
    at = end + (sizeBytes & 1)
  }
  return null
}
