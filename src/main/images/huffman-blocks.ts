/*
 * Counts the blocks in the coded pixels of a JPEG without decoding them. Only the length of each code matters, so that one look at
 * the data covers several codes.
 */

/** A code table as a JPEG has it: how many codes there are of each length from 1 to 16, and what they stand for, in order. */
export interface CodeTable {
  counts: Uint8Array
  symbols: Uint8Array
}

/** Where the next bits lead: a step for each of their values, 0 where no whole code is in them. */
export interface Steps {
  one: Int32Array
  /** Over as many codes as are whole. */
  many: Int32Array
  /** Of the longer codes, by their length and value. */
  long: Map<number, number>
}

/** The tables for a block: for its first number, and for the 63 others. */
export interface BlockSteps {
  first: Steps
  rest: Steps
}

/*
 * A step: how many bits it takes, how many of a block's numbers have to be left for it to be taken, and how many it covers, which are
 * more than there are where the block ends.
 */
const BITS = 0x3f
const ROOM_AT = 6
const BYTE = 0xff
const NUMBERS_AT = 14
const NUMBERS = 64

const LOOK_BITS = 12
const LOOKS = 1 << LOOK_BITS
const LONGEST = 16
/** Behind the data, so that a block may end there: 64 codes of at most 31 bits. */
const ROOM = 256

const step = (bits: number, room: number, numbers: number): number => bits | (room << ROOM_AT) | (numbers << NUMBERS_AT)

/** A code is followed by as many bits as its number has. A size of 0 ends a block, or stands for sixteen zeros. */
function stepOf(length: number, symbol: number): number {
  const [zeros, size] = [symbol >> 4, symbol & 15]
  return size === 0 && zeros < 15 ? step(length, 1, NUMBERS) : step(length + size, zeros + 1, zeros + 1)
}

/** As decoders go on after bits that are no code. */
const NO_CODE = stepOf(LONGEST + 1, 0)

export function stepsOf({ counts, symbols }: CodeTable): Steps {
  const [one, many] = [new Int32Array(LOOKS), new Int32Array(LOOKS)]
  const lengths = new Uint8Array(LOOKS)
  const long = new Map<number, number>()
  let [code, nth] = [0, 0]
  for (let length = 1; length <= LONGEST; length += 1, code <<= 1)
    for (let left = counts[length - 1] ?? 0; left > 0; left -= 1, code += 1, nth += 1) {
      const made = stepOf(length, symbols[nth] ?? 0)
      const spare = LOOK_BITS - length
      if (spare < 0) long.set((length << LONGEST) | code, made)
      else {
        one.fill(made, code << spare, (code + 1) << spare)
        lengths.fill(length, code << spare, (code + 1) << spare)
      }
    }
  for (let bits = 0; bits < LOOKS; bits += 1) {
    let all = one[bits]!
    while (all !== 0 && all >> NUMBERS_AT < NUMBERS) {
      const used = all & BITS
      const left = (bits << used) & (LOOKS - 1)
      const next = one[left]!
      if (next === 0 || used + lengths[left]! > LOOK_BITS) break
      const numbers = all >> NUMBERS_AT
      const room = numbers + ((next >> ROOM_AT) & BYTE)
      // More than a block has is never taken.
      if (room >= NUMBERS) break
      all = step(used + (next & BITS), room, numbers + (next >> NUMBERS_AT))
    }
    many[bits] = all
  }
  return { one, many, long }
}

/** How many times the blocks of a unit are whole in the data of a scan, at most `most`. The data are without stuffed bytes. */
export function countUnits(scan: Uint8Array, unit: readonly BlockSteps[], most: number): number {
  const end = scan.length * 8
  const bytes = new Uint8Array(scan.length + ROOM)
  bytes.set(scan)
  const data = new DataView(bytes.buffer)
  let at = 0
  for (let units = 0; units < most; units += 1)
    for (let nth = 0; nth < unit.length; nth += 1) {
      const { first, rest } = unit[nth]!
      const { one, many } = rest
      const shared = first.one[look(data, at)]!
      at += (shared === 0 ? longStep(first, data, at) : shared) & BITS
      let left = NUMBERS - 1
      while (left > 0) {
        const bits = look(data, at)
        let taken = many[bits]!
        if (((taken >> ROOM_AT) & BYTE) > left) taken = one[bits]!
        if (taken === 0) taken = longStep(rest, data, at)
        at += taken & BITS
        left -= taken >> NUMBERS_AT
      }
      if (at > end) return units
    }
  return most
}

const look = (data: DataView, at: number): number =>
  (data.getInt32(at >>> 3) >>> (32 - LOOK_BITS - (at & 7))) & (LOOKS - 1)

function longStep({ long }: Steps, data: DataView, at: number): number {
  const next = (data.getInt32(at >>> 3) >>> (32 - LONGEST - (at & 7))) & 0xffff
  for (let length = LOOK_BITS + 1; length <= LONGEST; length += 1) {
    const found = long.get((length << LONGEST) | (next >> (LONGEST - length)))
    if (found !== undefined) return found
  }
  return NO_CODE
}
