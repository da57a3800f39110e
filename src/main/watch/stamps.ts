import type { FileSample } from './file-sample.ts'

const FIELDS = 4
const FIRST_ROOM = 8

/** The states of many files in 32 bytes each; as objects they take four times as much. */
export class Stamps {
  #values: BigUint64Array
  #used = 0
  readonly #free: number[] = []

  /** `room`: how many are expected. */
  constructor(room = FIRST_ROOM) {
    this.#values = new BigUint64Array(room * FIELDS)
  }

  /** Returns where the state is from now on, until it is removed. */
  add(sample: FileSample): number {
    const at = this.#free.pop() ?? this.#used++
    if (at * FIELDS === this.#values.length) {
      const wider = new BigUint64Array(this.#values.length * 2)
      wider.set(this.#values)
      this.#values = wider
    }
    this.replace(at, sample)
    return at
  }

  replace(at: number, { sizeBytes, mtimeNs, ctimeNs, ino }: FileSample): void {
    this.#values[at * FIELDS] = BigInt(sizeBytes)
    this.#values[at * FIELDS + 1] = mtimeNs
    this.#values[at * FIELDS + 2] = ctimeNs
    this.#values[at * FIELDS + 3] = ino
  }

  at(at: number): FileSample {
    return {
      sizeBytes: Number(this.#value(at, 0)),
      // Times before 1970 are negative.
      mtimeNs: BigInt.asIntN(64, this.#value(at, 1)),
      ctimeNs: BigInt.asIntN(64, this.#value(at, 2)),
      ino: this.#value(at, 3),
    }
  }

  remove(at: number): void {
    this.#free.push(at)
  }

  #value(at: number, field: number): bigint {
    return this.#values[at * FIELDS + field] ?? 0n
  }
}
