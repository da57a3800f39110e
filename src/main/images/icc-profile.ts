/** Points of the CIE 1931 diagram, x and y in hundred thousandths. */
export interface Chromaticities {
  white: readonly [number, number]
  red: readonly [number, number]
  green: readonly [number, number]
  blue: readonly [number, number]
}

type Vector = [number, number, number]
type Matrix = [Vector, Vector, Vector]

/** The white of the profile connection space, as profiles write it. */
const D50: Vector = [0.9642, 1, 0.8249]
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]
const HEADER_BYTES = 128

/**
 * An ICC profile (version 4, "display") of three primaries and a pure power curve; without primaries one of grey.
 * `exponent` is what a number between 0 and 1 is raised to for light.
 */
export function matrixProfile(
  primaries: Chromaticities | null,
  exponent: number,
  name = primaries === null ? 'Grey by gAMA' : 'RGB by gAMA and cHRM',
): Buffer {
  const curve = tag('para', Buffer.concat([Buffer.alloc(4), fixed(exponent)]))
  const named = (text: string): Buffer => {
    const words = Buffer.from(text, 'utf16le').swap16()
    const head = Buffer.alloc(20)
    ;[1, 12].forEach((value, at) => head.writeUInt32BE(value, at * 4))
    head.write('enUS', 8, 'latin1')
    head.writeUInt32BE(words.length, 12)
    head.writeUInt32BE(28, 16)
    return tag('mluc', Buffer.concat([head, words]))
  }
  const tags: [string, Buffer][] = [
    ['desc', named(name)],
    ['cprt', named('No copyright, use freely')],
    ['wtpt', tag('XYZ ', xyz(D50))],
  ]
  if (primaries === null) tags.push(['kTRC', curve])
  else {
    const { adaptation, columns } = adaptedToD50(primaries)
    tags.push(['chad', tag('sf32', Buffer.concat(adaptation.flat().map(fixed)))])
    for (const [index, name] of ['r', 'g', 'b'].entries())
      tags.push([`${name}XYZ`, tag('XYZ ', xyz(columns[index]!))], [`${name}TRC`, curve])
  }
  return profileOf(primaries === null ? 'GRAY' : 'RGB ', tags)
}

function profileOf(space: 'RGB ' | 'GRAY', tags: readonly [string, Buffer][]): Buffer {
  const table = Buffer.alloc(4 + tags.length * 12)
  table.writeUInt32BE(tags.length)
  const data: Buffer[] = []
  let at = HEADER_BYTES + table.length
  for (const [index, [name, value]] of tags.entries()) {
    table.write(name, 4 + index * 12, 'latin1')
    table.writeUInt32BE(at, 8 + index * 12)
    table.writeUInt32BE(value.length, 12 + index * 12)
    const padded = Buffer.concat([value, Buffer.alloc(-value.length & 3)])
    data.push(padded)
    at += padded.length
  }
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(at, 0)
  header.writeUInt32BE(0x04400000, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
  // A date is asked for; the same bytes must give the same result.
  ;[2000, 1, 1].forEach((value, index) => header.writeUInt16BE(value, 24 + index * 2))
  header.write('acsp', 36, 'latin1')
  xyz(D50).copy(header, 68)
  return Buffer.concat([header, table, ...data])
}

function tag(type: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4), data])
}

/** A number with sixteen bits behind the point. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65536))
  return bytes
}

const xyz = (vector: Vector): Buffer => Buffer.concat(vector.map(fixed))

/** The primaries' light relative to D50, so that full red, green and blue together are white (ICC.1:2022, annex E). */
function adaptedToD50(given: Chromaticities): { adaptation: Matrix; columns: Matrix } {
  const light = ([x, y]: readonly [number, number]): Vector => [x / y, 1, (100_000 - x - y) / y]
  const white = light(given.white)
  const [red, green, blue] = [light(given.red), light(given.green), light(given.blue)]
  const amounts = multiply(inverse(transpose([red, green, blue])), white)
  const [from, to] = [multiply(BRADFORD, white), multiply(BRADFORD, D50)]
  const scaled = BRADFORD.map((row, index) => row.map((value) => (value * to[index]!) / from[index]!)) as Matrix
  const adaptation = transpose(transpose(scaled).map((column) => multiply(inverse(BRADFORD), column)) as Matrix)
  const columns = [red, green, blue].map((primary, index) =>
    multiply(adaptation, primary.map((value) => value * amounts[index]!) as Vector),
  ) as Matrix
  return { adaptation, columns }
}

function multiply(matrix: Matrix, vector: Vector): Vector {
  return matrix.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]) as Vector
}

function transpose(matrix: Matrix): Matrix {
  return [0, 1, 2].map((column) => matrix.map((row) => row[column]!)) as Matrix
}

/** By cofactors; the columns of the result are cross products of the rows. */
function inverse([a, b, c]: Matrix): Matrix {
  const cross = (p: Vector, q: Vector): Vector => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ]
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2]
  return transpose([bc, ca, ab].map((column) => column.map((value) => value / determinant)) as Matrix)
}
