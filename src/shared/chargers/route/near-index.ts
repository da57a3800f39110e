import { nmOfSquaredChord, squaredChordOfNm, unitVector, type Point, type UnitVector } from '../distance.ts'

/**
 * Upper limit of cells per side, because more are not worth their keys; a tiny range then only scans more places than it
 * needs.
 */
const MAX_CELLS = 1 << 16

/** What `nearVector` found: only the first `count` entries of each list are valid. */
export interface NearPlaces {
  places: Int32Array
  squares: Float64Array
  count: number
}

/** Places that `takeNear` has not taken yet. */
export interface LeftPlaces {
  /** Of the index's list of places by cell, with those that are taken at the end of their cell. */
  places: Int32Array
  /** How many are left, for each cell. */
  counts: Int32Array
}

/**
 * Spatial index to find the places within a distance. It is a grid of cubes in three-dimensional space, so that the 180th
 * meridian and the poles need no special case.
 */
export class NearIndex {
  /** The unit vector of each place, as three numbers. */
  readonly vectors: Float64Array
  /** Cells with places in them, numbered by their keys. */
  readonly #cells = new Map<number, number>()
  /** Places by cell; those of cell `n` begin at `#starts[n]`. */
  readonly #places: Int32Array
  readonly #starts: Int32Array
  readonly #cellOf: Int32Array
  /** For each cell, itself and those around it; made when first needed. */
  readonly #around: number[][] = []
  readonly #side: number
  readonly #perSide: number

  /** `reachNm`: the distance that `nearPlace` and `takeNear` search within at most; other searches are fastest up to it. */
  constructor(places: readonly Point[], reachNm: number) {
    const reach = Math.sqrt(squaredChordOfNm(reachNm))
    this.#perSide = Math.max(1, Math.min(MAX_CELLS, Math.floor(2 / Math.max(reach, 1e-9))))
    this.#side = 2 / this.#perSide
    this.vectors = new Float64Array(places.length * 3)
    this.#cellOf = new Int32Array(places.length)
    const counts: number[] = []
    places.forEach((place, at) => {
      const vector = unitVector(place)
      this.vectors.set(vector, at * 3)
      const key = this.#key(this.#cell(vector[0]), this.#cell(vector[1]), this.#cell(vector[2]))
      let cell = this.#cells.get(key)
      if (cell === undefined) this.#cells.set(key, (cell = counts.push(0) - 1))
      counts[cell]! += 1
      this.#cellOf[at] = cell
    })
    this.#starts = new Int32Array(counts.length + 1)
    counts.forEach((count, cell) => (this.#starts[cell + 1] = this.#starts[cell]! + count))
    this.#places = new Int32Array(places.length)
    const next = this.#starts.slice()
    this.#cellOf.forEach((cell, at) => {
      this.#places[next[cell]!] = at
      next[cell]! += 1
    })
  }

  get count(): number {
    return this.#cellOf.length
  }

  vectorOf(at: number): UnitVector {
    return [this.vectors[3 * at]!, this.vectors[3 * at + 1]!, this.vectors[3 * at + 2]!]
  }

  /** Calls `found` with the index and the distance of each place within `nm` of a point. */
  near(point: Point, nm: number, found: (at: number, nm: number) => void): void {
    if (!(nm >= 0)) return
    const [x, y, z] = unitVector(point)
    const limit = squaredChordOfNm(nm)
    for (const cell of this.#cellsAround(x, y, z, Math.sqrt(limit)))
      for (let n = this.#starts[cell]!; n < this.#starts[cell + 1]!; n += 1) {
        const at = this.#places[n]!
        const square = this.#square(at, x, y, z)
        if (square <= limit) found(at, nmOfSquaredChord(square))
      }
  }

  /** The same for a unit vector, into lists that are reused, with squared chords: for searches that visit many places. */
  nearVector(vector: UnitVector, nm: number, into: NearPlaces): void {
    into.count = 0
    if (!(nm >= 0)) return
    const [x, y, z] = vector
    const limit = squaredChordOfNm(nm)
    this.#find(this.#cellsAround(x, y, z, Math.sqrt(limit)), x, y, z, limit, into)
  }

  /** The same around one of the places. */
  nearPlace(at: number, nm: number, into: NearPlaces): void {
    const { vectors } = this
    const cells = this.#cellsAroundPlace(at)
    this.#find(cells, vectors[at * 3]!, vectors[at * 3 + 1]!, vectors[at * 3 + 2]!, squaredChordOfNm(nm), into)
  }

  allLeft(): LeftPlaces {
    const counts = Int32Array.from(this.#starts.subarray(1), (end, cell) => end - this.#starts[cell]!)
    return { places: this.#places.slice(), counts }
  }

  /** Takes what is left within `nm` of one of the places, and adds it to `taken`. */
  takeNear(left: LeftPlaces, at: number, nm: number, taken: number[]): void {
    const { vectors } = this
    const cells = this.#cellsAroundPlace(at)
    const [x, y, z] = [vectors[at * 3]!, vectors[at * 3 + 1]!, vectors[at * 3 + 2]!]
    this.#take(left, cells, x, y, z, squaredChordOfNm(nm), taken)
  }

  /** The same near a point. */
  takeNearVector(left: LeftPlaces, vector: UnitVector, nm: number, taken: number[]): void {
    if (!(nm >= 0)) return
    const [x, y, z] = vector
    const limit = squaredChordOfNm(nm)
    this.#take(left, this.#cellsAround(x, y, z, Math.sqrt(limit)), x, y, z, limit, taken)
  }

  #find(cells: readonly number[], x: number, y: number, z: number, limit: number, into: NearPlaces): void {
    const { places, squares } = into
    const { vectors } = this
    let count = 0
    for (const cell of cells) {
      const end = this.#starts[cell + 1]!
      for (let n = this.#starts[cell]!; n < end; n += 1) {
        const at = this.#places[n]!
        const square = (vectors[at * 3]! - x) ** 2 + (vectors[at * 3 + 1]! - y) ** 2 + (vectors[at * 3 + 2]! - z) ** 2
        if (square > limit) continue
        places[count] = at
        squares[count] = square
        count += 1
      }
    }
    into.count = count
  }

  #take(left: LeftPlaces, cells: readonly number[], x: number, y: number, z: number, limit: number, taken: number[]) {
    const { places, counts } = left
    const { vectors } = this
    for (const cell of cells) {
      let n = this.#starts[cell]!
      let end = n + counts[cell]!
      while (n < end) {
        const at = places[n]!
        const square = (vectors[at * 3]! - x) ** 2 + (vectors[at * 3 + 1]! - y) ** 2 + (vectors[at * 3 + 2]! - z) ** 2
        if (square > limit) n += 1
        else {
          taken.push(at)
          end -= 1
          places[n] = places[end]!
          places[end] = at
        }
      }
      counts[cell] = end - this.#starts[cell]!
    }
  }

  #cellsAroundPlace(at: number): readonly number[] {
    const cell = this.#cellOf[at]!
    const known = this.#around[cell]
    if (known !== undefined) return known
    // All cells around the cell, and not only those around the place: its neighbours share the list.
    const [i, j, k] = [
      this.#cell(this.vectors[3 * at]!),
      this.#cell(this.vectors[3 * at + 1]!),
      this.#cell(this.vectors[3 * at + 2]!),
    ]
    return (this.#around[cell] = this.#cellsBetween(i - 1, i + 1, j - 1, j + 1, k - 1, k + 1))
  }

  #cellsAround(x: number, y: number, z: number, reach: number): readonly number[] {
    const [fromX, toX] = [this.#cell(x - reach), this.#cell(x + reach)]
    const [fromY, toY] = [this.#cell(y - reach), this.#cell(y + reach)]
    const [fromZ, toZ] = [this.#cell(z - reach), this.#cell(z + reach)]
    return this.#cellsBetween(fromX, toX, fromY, toY, fromZ, toZ)
  }

  #cellsBetween(fromX: number, toX: number, fromY: number, toY: number, fromZ: number, toZ: number): number[] {
    const cells: number[] = []
    for (let i = Math.max(0, fromX); i <= Math.min(this.#perSide - 1, toX); i += 1)
      for (let j = Math.max(0, fromY); j <= Math.min(this.#perSide - 1, toY); j += 1)
        for (let k = Math.max(0, fromZ); k <= Math.min(this.#perSide - 1, toZ); k += 1) {
          const cell = this.#cells.get(this.#key(i, j, k))
          if (cell !== undefined) cells.push(cell)
        }
    return cells
  }

  #square(at: number, x: number, y: number, z: number): number {
    const { vectors } = this
    return (vectors[at * 3]! - x) ** 2 + (vectors[at * 3 + 1]! - y) ** 2 + (vectors[at * 3 + 2]! - z) ** 2
  }

  #cell(value: number): number {
    return Math.max(0, Math.min(this.#perSide - 1, Math.floor((value + 1) / this.#side)))
  }

  #key(i: number, j: number, k: number): number {
    return (i * this.#perSide + j) * this.#perSide + k
  }
}
