import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { ChargePoint } from '../../shared/chargers/charger.ts'
import { ListGap } from '../../shared/chargers/charger-status.ts'
import type { Logger } from '../../shared/runtime/ports.ts'
import { bodyOf, SLICE, type ChargerSet } from './charger-set.ts'

export const CHARGERS_FOLDER = 'chargers'

/** As this or another version of Hangar wrote it: what is missing or unusable counts as not known. */
const Kept = z.object({
  atMs: z.number(),
  version: z.number().int().nonnegative().catch(0),
  unusable: z.number().int().nonnegative().catch(0),
  gap: ListGap.nullable().catch(null),
  chargers: z.array(z.unknown()),
})

/** The last set of each service, so that chargers are there right after a start. Readable by its owner only; the last writer wins. */
export class ChargerCache {
  readonly #folder: string
  readonly #log: Logger

  constructor(dataDir: string, log: Logger) {
    this.#folder = join(dataDir, CHARGERS_FOLDER)
    this.#log = log
  }

  /** Null when there is none. An unusable one is put aside and counts as none. Its version is above `lastVersion`. */
  async load(source: string, lastVersion = 0): Promise<ChargerSet | null> {
    const path = this.#pathOf(source)
    try {
      const kept = Kept.parse(JSON.parse(await readFile(path, 'utf8')))
      const chargers: ChargePoint[] = []
      for (const one of kept.chargers) {
        chargers.push(ChargePoint.parse(one))
        if (chargers.length % SLICE === 0) await setImmediate()
      }
      return { ...kept, chargers, version: Math.max(kept.version, lastVersion + 1), body: await bodyOf(chargers) }
    } catch (error) {
      const why = reasonOf(error)
      if (why === 'ENOENT') return null
      this.#log.warn('the kept chargers cannot be used and are put aside', { why })
      await rename(path, `${path}.broken`).catch(() => undefined)
      return null
    }
  }

  /** Writes all of it or nothing. A failure is logged. */
  async save(source: string, { chargers: _chargers, body, ...facts }: ChargerSet): Promise<void> {
    const path = this.#pathOf(source)
    const draft = `${path}.part`
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const head = `${JSON.stringify(facts).slice(0, -1)},"chargers":[\n`
      await writeFile(draft, [head, body, '\n]}\n'], { mode: 0o600, flush: true })
      await rename(draft, path)
    } catch (error) {
      this.#log.warn('the chargers could not be kept for the next start', { why: reasonOf(error) })
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }

  #pathOf(source: string): string {
    return join(this.#folder, `${createHash('sha256').update(source).digest('hex').slice(0, 32)}.json`)
  }
}

/** Contains no path and no file content. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'it is damaged'
  if (error instanceof SyntaxError) return 'it is not JSON'
  return (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : 'unknown')
}
