import { lstat, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from '../../shared/runtime/ports.ts'

/** Hidden, so that no scan enters it: a preview must never be sent. */
export const PREVIEWS_FOLDER = '.hangar-previews'
/** The width of the largest tile. */
export const THUMB_PX = 320
/** Some fifteen thousand thumbnails; others are made again when they are looked at. */
const MAX_BYTES = 200 * 1_048_576
/** Evicts down to this share, so that not every new thumbnail evicts one. */
const KEEP_SHARE = 0.9

const SHA256 = /^[0-9a-f]{64}$/
const NAME = /^[0-9a-f]{64}-\d+\.webp$/

interface Kept {
  bytes: number
  atMs: number
}

/**
 * Thumbnails on disk by the hash of the picture, over restarts. The oldest are evicted. Losing one is cheap, so a failed write is only
 * logged.
 */
export class ThumbCache {
  readonly #dir: string
  readonly #log: Logger
  readonly #max: number
  #kept: Promise<Map<string, Kept>> | null = null

  constructor(dataDir: string, log: Logger, max = MAX_BYTES) {
    this.#dir = join(dataDir, PREVIEWS_FOLDER)
    this.#log = log
    this.#max = max
  }

  async get(sha256: string): Promise<Uint8Array | null> {
    if (!SHA256.test(sha256)) return null
    try {
      const bytes = await readFile(this.#pathOf(sha256))
      return isWholeWebp(bytes) ? bytes : null
    } catch {
      return null
    }
  }

  async put(sha256: string, bytes: Uint8Array): Promise<void> {
    if (!SHA256.test(sha256)) return
    const path = this.#pathOf(sha256)
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(path, bytes, { mode: 0o600 })
      this.#kept ??= this.#readFolder()
      const kept = await this.#kept.catch((error: unknown) => {
        this.#kept = null
        throw error
      })
      kept.set(path, { bytes: bytes.byteLength, atMs: Date.now() })
      await this.#makeRoom(kept)
    } catch (error) {
      this.#log.warn('a thumbnail could not be kept', { error: String(error) })
    }
  }

  async #makeRoom(kept: Map<string, Kept>): Promise<void> {
    let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    if (total <= this.#max) return
    const oldestFirst = [...kept].sort(([, one], [, other]) => one.atMs - other.atMs)
    for (const [path, { bytes }] of oldestFirst) {
      if (total <= this.#max * KEEP_SHARE) break
      kept.delete(path)
      total -= bytes
      await unlink(path).catch(() => undefined)
    }
  }

  /** Those of earlier runs. */
  async #readFolder(): Promise<Map<string, Kept>> {
    const kept = new Map<string, Kept>()
    for (const entry of await readdir(this.#dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !NAME.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const stats = await lstat(path).catch(() => null)
      if (stats !== null) kept.set(path, { bytes: stats.size, atMs: stats.mtimeMs })
    }
    return kept
  }

  #pathOf(sha256: string): string {
    return join(this.#dir, sha256.slice(0, 2), `${sha256}-${THUMB_PX}.webp`)
  }
}

/** A crash or a full disk may have cut it off. */
function isWholeWebp(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, 12)
  return head.startsWith('RIFF') && head.endsWith('WEBP') && bytes.readUInt32LE(4) + 8 === bytes.length
}
