import { createHash } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Raster } from '../core/likeness.ts'

/** What pictures are compared by, by the SHA-256 of the file that it was made of: a changed file never meets what an earlier one had. */
type Rasters = ReadonlyMap<string, Raster>

const NAME = '.hangar-compared'
const FIRST = Buffer.from('Hangar compares 1\n')
const [SHA256_BYTES, SIZE_BYTES, CHANNELS] = [32, 2, 4]

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** A file in the data folder, for `keepRasters`. It spares a decode and is needed for nothing: what cannot be read or written is left. */
export function storedRasters(dataDir: string) {
  const path = join(dataDir, NAME)
  const draft = `${path}.part`
  return {
    read: async (): Promise<Rasters> => parse(await readFile(path).catch(() => Buffer.alloc(0))),
    write: async (rasters: Rasters): Promise<void> => {
      try {
        await rm(draft, { force: true })
        await writeFile(draft, serialized(rasters), { mode: 0o600, flag: 'wx' })
        await rename(draft, path)
      } catch {
        await rm(draft, { force: true }).catch(() => undefined)
      }
    },
  }
}

function serialized(rasters: Rasters): Buffer {
  const all = Buffer.concat(
    [...rasters].flatMap(([key, { columns, rows, cells }]) => [
      Buffer.from(key, 'hex'),
      Buffer.of(columns, rows),
      cells,
    ]),
  )
  return Buffer.concat([FIRST, sha256(all), all])
}

function parse(bytes: Buffer): Rasters {
  const rasters = new Map<string, Raster>()
  const head = FIRST.length + SHA256_BYTES
  const all = bytes.subarray(head)
  if (!bytes.subarray(0, FIRST.length).equals(FIRST)) return rasters
  if (!bytes.subarray(FIRST.length, head).equals(sha256(all))) return rasters
  for (let at = 0; at < all.length;) {
    const [columns = 0, rows = 0] = all.subarray(at + SHA256_BYTES)
    const from = at + SHA256_BYTES + SIZE_BYTES
    const end = from + columns * rows * CHANNELS
    // A copy, so that the rest is not held by one that is kept.
    rasters.set(all.toString('hex', at, at + SHA256_BYTES), {
      columns,
      rows,
      cells: Uint8Array.from(all.subarray(from, end)),
    })
    at = end
  }
  return rasters
}
