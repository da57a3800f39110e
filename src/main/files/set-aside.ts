import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from './write-whole.ts'

/** Below the data folder. Hidden, so that no scan enters it. */
export const SET_ASIDE_FOLDER = '.hangar-set-aside'
const MAX_BYTES = 200 * 1_048_576
const NAME = /^[0-9A-Za-z]{1,40}\.[a-z]{3,4}$/

/**
 * Files of the service that were not taken for a result, under the ids of their jobs, for a person to look at. The oldest make room
 * for new ones.
 */
export class SetAside {
  readonly #dir: string
  readonly #most: number

  constructor(dataDir: string, most = MAX_BYTES) {
    this.#dir = join(dataDir, SET_ASIDE_FOLDER)
    this.#most = most
  }

  /** In the place of an earlier one of that job. Returns where it is. */
  async keep(jobId: string, bytes: Uint8Array, suffix: string): Promise<string> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 })
    const path = join(this.#dir, `${jobId}.${suffix}`)
    const earlier = await this.find(jobId)
    await writeWhole(path, bytes, 0o600)
    if (earlier !== null && earlier.path !== path) await rm(earlier.path, { force: true })
    await this.#makeRoom(path)
    return path
  }

  /** Null when there is none, or it had to make room. */
  async find(jobId: string): Promise<{ path: string; rootDir: string } | null> {
    const kept = (await this.#kept()).find(({ name }) => name.startsWith(`${jobId}.`))
    return kept === undefined ? null : { path: join(this.#dir, kept.name), rootDir: this.#dir }
  }

  async #makeRoom(newest: string): Promise<void> {
    const oldestFirst = (await this.#kept()).toSorted((one, other) => one.atMs - other.atMs)
    let total = oldestFirst.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { name, bytes } of oldestFirst) {
      if (total <= this.#most) return
      if (join(this.#dir, name) === newest) continue
      total -= bytes
      await rm(join(this.#dir, name), { force: true }).catch(() => undefined)
    }
  }

  async #kept(): Promise<{ name: string; bytes: number; atMs: number }[]> {
    const names = (await readdir(this.#dir).catch(() => [])).filter((name) => NAME.test(name))
    const found = await Promise.all(
      names.map(async (name) => {
        const stats = await lstat(join(this.#dir, name)).catch(() => null)
        return stats?.isFile() === true ? [{ name, bytes: stats.size, atMs: stats.mtimeMs }] : []
      }),
    )
    return found.flat()
  }
}
