import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeWhole } from './write-whole.ts'

/** Below the data folder. Hidden, so that no scan enters it. */
export const SET_ASIDE_FOLDER = '.hangar-set-aside'
const MAX_BYTES = 200 * 1_048_576
const NAME = /^[0-9A-Za-z]{1,40}\.[a-z]{3,4}$/

const belongsTo = ({ path }: { path: string }, jobId: string) => basename(path).startsWith(`${jobId}.`)

/** Files of the service that were not taken for a result, by their jobs, for a person to look at. The oldest make room for new ones. */
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
    await writeWhole(path, bytes, 0o600)
    let total = bytes.byteLength
    for (const other of (await this.#newestFirst()).filter((one) => one.path !== path)) {
      const isEarlier = belongsTo(other, jobId)
      if (!isEarlier) total += other.bytes
      if (isEarlier || total > this.#most) await rm(other.path, { force: true }).catch(() => undefined)
    }
    return path
  }

  /** Null when there is none, or it had to make room. */
  async find(jobId: string): Promise<{ path: string; rootDir: string } | null> {
    const kept = (await this.#newestFirst()).find((one) => belongsTo(one, jobId))
    return kept === undefined ? null : { path: kept.path, rootDir: this.#dir }
  }

  async #newestFirst(): Promise<{ path: string; bytes: number; atMs: number }[]> {
    const names = (await readdir(this.#dir).catch(() => [])).filter((name) => NAME.test(name))
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#dir, name)
        const stats = await lstat(path).catch(() => null)
        return stats?.isFile() === true ? [{ path, bytes: stats.size, atMs: stats.mtimeMs }] : []
      }),
    )
    return found.flat().toSorted((one, other) => other.atMs - one.atMs)
  }
}
