import { headSegments } from './decode-jpeg.ts'
import { countUnits, stepsOf, type BlockSteps, type Steps } from './huffman-blocks.ts'

/*
 * Where a part of a JPEG was overwritten, the decoder may read the rest of it as fewer or more pixels than there were. Fewer: it
 * reaches the end of the data too early, and says so. More: the picture is full before the data ends, and the library stops
 * there without a word.
 */

/** Up to this many bytes at the end of a scan are padding. */
const MAX_PADDING = 64
/** In a shorter one no more than a thousand bytes can be left over. */
const LEAST_SCAN = 1000
const [SOF0, SOF1, DHT, SOS, EOI, DRI] = [0xc0, 0xc1, 0xc4, 0xda, 0xd9, 0xdd]

/** A picture in one scan with Huffman codes. */
interface Scan {
  /** How many parts restart markers make of it. */
  parts: number
  /** The data of the last, without stuffed bytes. */
  last: Uint8Array
  /** The blocks that belong together; those of several colours alternate. */
  unit: BlockSteps[]
  units: number
  unitsInRow: number
  /** In each part but the last; 0 for one part. */
  unitsInPart: number
}

/**
 * Whether a JPEG has coded pixels left when the picture is full: for a third of a row of blocks or more. The codes are counted, which
 * takes half the time of the smallest decode, and next to none where there are restart markers.
 */
export function hasLeftOverScan(bytes: Buffer): boolean {
  const scan = findScan(bytes)
  if (scan === null) return false
  const { parts, last, unit, units, unitsInRow, unitsInPart } = scan
  const most = units + Math.ceil(unitsInRow / 3)
  if (unitsInPart === 0) return parts === 1 && countUnits(last, unit, most) === most
  const before = (parts - 1) * unitsInPart
  return before + countUnits(last, unit, Math.min(unitsInPart, Math.max(0, most - before))) >= most
}

interface Frame {
  lines: number
  columns: number
  components: { id: number; across: number; down: number }[]
}

/** Null for what the library reads to its end by itself (several scans), or has no Huffman codes for each colour. */
function findScan(bytes: Buffer): Scan | null {
  let frame: Frame | null = null
  let unitsInPart = 0
  const tables = new Map<number, Steps>()
  for (const { marker, start, next } of headSegments(bytes)) {
    const segment = bytes.subarray(start + 4, next)
    if (marker === SOF0 || marker === SOF1) frame = frameIn(segment)
    else if (marker === DHT) readTables(segment, tables)
    else if (marker === DRI && segment.length >= 2) unitsInPart = segment.readUInt16BE(0)
    else if (marker === SOS) {
      const data = dataOfScan(bytes, next)
      const blocks = frame === null ? null : blocksOf(frame, segment, tables)
      return frame === null || blocks === null || data === null ? null : { ...data, unitsInPart, ...blocks }
    }
  }
  return null
}

function frameIn(segment: Buffer): Frame | null {
  const count = segment[5] ?? 0
  if ((count !== 1 && count !== 3) || segment.length < 6 + 3 * count) return null
  const components = Array.from({ length: count }, (_, nth) => {
    const [id, sampling] = [segment[6 + 3 * nth]!, segment[7 + 3 * nth]!]
    return { id, across: sampling >> 4, down: sampling & 15 }
  })
  const isOdd = components.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)
  const [lines, columns] = [segment.readUInt16BE(1), segment.readUInt16BE(3)]
  return isOdd || lines === 0 || columns === 0 ? null : { lines, columns, components }
}

function readTables(segment: Buffer, tables: Map<number, Steps>): void {
  for (let at = 0; at + 17 <= segment.length;) {
    const counts = segment.subarray(at + 1, at + 17)
    const symbols = counts.reduce((sum, count) => sum + count, 0)
    tables.set(segment[at]!, stepsOf({ counts, symbols: segment.subarray(at + 17, at + 17 + symbols) }))
    at += 17 + symbols
  }
}

function blocksOf(
  { lines, columns, components }: Frame,
  header: Buffer,
  tables: Map<number, Steps>,
): Pick<Scan, 'unit' | 'units' | 'unitsInRow'> | null {
  if (header[0] !== components.length) return null
  const isOne = components.length === 1
  const unit: BlockSteps[] = []
  for (const [nth, { id, across, down }] of components.entries()) {
    const [selector, numbers = 0] = header.subarray(1 + 2 * nth)
    const [first, rest] = [tables.get(numbers >> 4), tables.get(0x10 | (numbers & 15))]
    if (selector !== id || first === undefined || rest === undefined) return null
    for (let block = isOne ? 1 : across * down; block > 0; block -= 1) unit.push({ first, rest })
  }
  const side = (along: 'across' | 'down'): number => (isOne ? 8 : 8 * Math.max(...components.map((one) => one[along])))
  const unitsInRow = Math.ceil(columns / side('across'))
  return { unit, unitsInRow, units: unitsInRow * Math.ceil(lines / side('down')) }
}

/** Null if the picture does not end with the scan, or the scan is short. What may be padding is left out. */
function dataOfScan(bytes: Buffer, start: number): Pick<Scan, 'parts' | 'last'> | null {
  const last = Buffer.alloc(Math.max(0, bytes.length - start))
  let [parts, length, from] = [1, 0, start]
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, from)) {
    length += bytes.copy(last, length, from, at)
    while (bytes[at + 1] === 0xff) at += 1
    const marker = bytes[at + 1]
    from = at + 2
    if (marker === 0) last[length++] = 0xff
    else if (marker !== undefined && marker >= 0xd0 && marker <= 0xd7) {
      parts += 1
      length = 0
    } else if (marker !== EOI || at - start < LEAST_SCAN) return null
    else return { parts, last: last.subarray(0, Math.max(0, length - MAX_PADDING)) }
  }
  return null
}
