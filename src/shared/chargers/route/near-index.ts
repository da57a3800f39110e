import { nmOfSquaredChord, squaredChordOfNm, unitVector, type Point, type UnitVector } from '../distance.ts'

/**
 * Upper limit of cells per side, because more are not worth their keys; a tiny range then only scans more places than it
 * needs.
 */
const MAX_CELLS = 1 << 16

const FEW = 16

/** What `nearVector` found: only the first `count` entries of each list are valid. */
export interface NearPlaces {
  places: Int32Array
  squares: Float64Array
  count: number
}

/**
 * Spatial index to find the places within a distance. It is a grid of cubes in three-dimensional space, so that the 180th
 * meridian and the poles need no special case.
 */
export class NearIndex {
  /** The unit vector of each place, as three numbers. */
  readonly vectors: Float64Array
  readonly #cells = new Map<number, number[]>()
  readonly #side: number
  readonly #count: number
  /** How many places `takeNear` has not taken; when they are few, it checks them all instead of searching cells. */
  #left: number
  #few: number[] | null = null

  /** `reachNm`: the largest distance that `near` will be called with. */
  constructor(places: readonly Point[], reachNm: number) {
    const reach = Math.sqrt(squaredChordOfNm(reachNm))
    this.#count = Math.max(1, Math.min(MAX_CELLS, Math.floor(2 / Math.max(reach, 1e-9))))
    this.#side = 2 / this.#count
    this.#left = places.length
    this.vectors = new Float64Array(places.length * 3)
    places.forEach((place, at) => {
      const vector = unitVector(place)
      this.vectors.set(vector, at * 3)
      const key = this.#key(this.#cell(vector[0]), this.#cell(vector[1]), this.#cell(vector[2]))
      const cell = this.#cells.get(key)
      if (cell === undefined) this.#cells.set(key, [at])
      else cell.push(at)
    })
  }

  vectorOf(at: number): UnitVector {
    return [this.vectors[3 * at]!, this.vectors[3 * at + 1]!, this.vectors[3 * at + 2]!]
  }

  /** Calls `found` with the index and the distance of each place within `nm` of a point. */
  near(point: Point, nm: number, found: (at: number, nm: number) => void): void {
    const [x, y, z] = unitVector(point)
    this.#scan(x, y, z, nm, (cell, limit) => {
      for (const at of cell) {
        const square = this.#square(at, x, y, z)
        if (square <= limit) found(at, nmOfSquaredChord(square))
      }
    })
  }

  /** The same for a unit vector, into lists that are reused, with squared chords: for searches that visit many places. */
  nearVector(x: number, y: number, z: number, nm: number, into: NearPlaces): void {
    const { places, squares } = into
    let count = 0
    this.#scan(x, y, z, nm, (cell, limit) => {
      for (const at of cell) {
        const square = this.#square(at, x, y, z)
        if (square > limit) continue
        places[count] = at
        squares[count] = square
        count += 1
      }
    })
    into.count = count
  }

  /** Like `near`, but also removes what it found. */
  takeNear(point: Point, nm: number, found: (at: number, nm: number) => void): void {
    if (this.#left <= FEW) this.#few ??= [...this.#cells.values()].flat()
    const [x, y, z] = unitVector(point)
    const take = (cell: number[], limit: number) => {
      let kept = 0
      for (const at of cell) {
        const square = this.#square(at, x, y, z)
        if (square <= limit) found(at, nmOfSquaredChord(square))
        else cell[kept++] = at
      }
      this.#left -= cell.length - kept
      cell.length = kept
    }
    if (this.#few === null) this.#scan(x, y, z, nm, take)
    else if (this.#few.length > 0) take(this.#few, squaredChordOfNm(nm))
  }

  #scan(x: number, y: number, z: number, nm: number, visit: (cell: number[], limit: number) => void): void {
    if (!(nm >= 0)) return
    const limit = squaredChordOfNm(nm)
    const reach = Math.sqrt(limit)
    const [fromX, toX] = [this.#cell(x - reach), this.#cell(x + reach)]
    const [fromY, toY] = [this.#cell(y - reach), this.#cell(y + reach)]
    const [fromZ, toZ] = [this.#cell(z - reach), this.#cell(z + reach)]
    for (let i = fromX; i <= toX; i += 1)
      for (let j = fromY; j <= toY; j += 1)
        for (let k = fromZ; k <= toZ; k += 1) {
          const cell = this.#cells.get(this.#key(i, j, k))
          if (cell !== undefined) visit(cell, limit)
        }
  }

  #square(at: number, x: number, y: number, z: number): number {
    const vectors = this.vectors
    return (vectors[at * 3]! - x) ** 2 + (vectors[at * 3 + 1]! - y) ** 2 + (vectors[at * 3 + 2]! - z) ** 2
  }

  #cell(value: number): number {
    return Math.max(0, Math.min(this.#count - 1, Math.floor((value + 1) / this.#side)))
  }

  #key(i: number, j: number, k: number): number {
    return (i * this.#count + j) * this.#count + k
  }
}
