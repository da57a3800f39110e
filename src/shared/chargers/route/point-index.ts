import { squaredChordOfNm, type UnitVector } from '../distance.ts'

/** In earth radii: 130 metres. */
const MIN_SIDE = 2e-5

/** Places by the cube of space that they are in, so that no pole or meridian is special. Fastest for searches up to `reachNm`. */
export class PointIndex {
  readonly vectors: readonly UnitVector[]
  readonly #side: number
  /** More than there are cubes along an axis. */
  readonly #most: number
  readonly #cubes = new Map<number, number[]>()

  constructor(vectors: readonly UnitVector[], reachNm: number) {
    this.vectors = vectors
    this.#side = Math.max(Math.sqrt(squaredChordOfNm(reachNm)), MIN_SIDE)
    this.#most = Math.ceil(2 / this.#side) + 1
    for (const [at, [x, y, z]] of vectors.entries()) {
      const key = (this.#cubeOf(x) * this.#most + this.#cubeOf(y)) * this.#most + this.#cubeOf(z)
      const cube = this.#cubes.get(key)
      if (cube === undefined) this.#cubes.set(key, [at])
      else cube.push(at)
    }
  }

  /** Calls `visit` for each point within this distance, with the squared chord to it; one for which it returns true is removed for good. */
  visit([x, y, z]: UnitVector, nm: number, visit: (at: number, square: number) => boolean | void): void {
    const limit = squaredChordOfNm(nm)
    const chord = Math.sqrt(limit)
    const [last, top, far] = [this.#cubeOf(x + chord), this.#cubeOf(y + chord), this.#cubeOf(z + chord)]
    for (let a = this.#cubeOf(x - chord); a <= last; a += 1)
      for (let b = this.#cubeOf(y - chord); b <= top; b += 1)
        for (let c = this.#cubeOf(z - chord); c <= far; c += 1) {
          const cube = this.#cubes.get((a * this.#most + b) * this.#most + c)
          if (cube === undefined) continue
          let left = 0
          for (const at of cube) {
            const place = this.vectors[at]!
            const square = (place[0] - x) ** 2 + (place[1] - y) ** 2 + (place[2] - z) ** 2
            if (!(square <= limit && visit(at, square) === true)) cube[left++] = at
          }
          cube.length = left
        }
  }

  #cubeOf(along: number): number {
    return Math.floor((Math.min(1, Math.max(-1, along)) + 1) / this.#side)
  }
}
