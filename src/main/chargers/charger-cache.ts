import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { KeptChargePoint, type ChargePoint } from '../../shared/chargers/charger.ts'
import { ListGap } from '../../shared/chargers/charger-status.ts'
import type { Logger } from '../../shared/runtime/ports.ts'
import { encodeSet, newVersion, SLICE, yieldToEventLoop, type ChargerSet } from './charger-set.ts'

export const CHARGERS_FOLDER = 'chargers'
/** 200,000 chargers take about 100 MB. */
const MAX_BYTES = 160 * 1024 * 1024
const NEWLINE = 0x0a

/** As this or another version of Hangar wrote it: what is missing or unusable counts as not known. */
const Head = z.object({
  source: z.string(),
  atMs: z.number(),
  version: z.number().int().nonnegative().catch(0),
  unusable: z.number().int().nonnegative().catch(0),
  duplicates: z.number().int().nonnegative().catch(0),
  gap: ListGap.nullable().catch(null),
  unseen: z.array(z.number().int()).catch([]),
})

/**
 * The last set of each service on this disk, so that chargers are there right after a start, even without a network.
 * One JSON document per service, readable by its owner only: a line with the facts, then one line per charger. What commands
 * read is in a document of its own: the one of `engine` is what its next refresh is compared with.
 */
export class ChargerCache {
  readonly #folder: string
  readonly #log: Logger
  readonly #readBy: 'engine' | 'commands'

  constructor(dataDir: string, log: Logger, readBy: 'engine' | 'commands' = 'engine') {
    this.#folder = join(dataDir, CHARGERS_FOLDER)
    this.#log = log
    this.#readBy = readBy
  }

  /** Null when there is none. An unusable one is put aside and counts as none. Its version is above `lastVersion`. */
  async load(source: string, lastVersion: number): Promise<ChargerSet | null> {
    const path = this.#pathOf(source)
    try {
      const size = await stat(path).then(
        (stats) => stats.size,
        () => null,
      )
      if (size === null) return null
      if (size > MAX_BYTES) throw new Error('it is too long')
      return await decode(await readFile(path), source, lastVersion)
    } catch (error) {
      this.#log.warn('the kept chargers cannot be used and are put aside', { why: reasonOf(error) })
      await rename(path, `${path}.broken`).catch(() => undefined)
      return null
    }
  }

  /**
   * Writes all of it or nothing. A failure is logged: after the next start, the chargers are requested from the
   * service.
   */
  async save(source: string, set: ChargerSet): Promise<void> {
    const { chargers: _chargers, bytes: _bytes, body, ...facts } = set
    const head = Buffer.from(`${JSON.stringify({ source, ...facts }).slice(0, -1)},"chargers":[\n`)
    const path = this.#pathOf(source)
    // Two commands may run at the same time.
    const draft = this.#readBy === 'engine' ? `${path}.part` : `${path}.${process.pid}.part`
    try {
      if (head.byteLength + body.byteLength > MAX_BYTES) throw new Error('they are too many')
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const file = await open(draft, 'w', 0o600)
      try {
        for (const part of [head, body, Buffer.from('\n]}\n')]) await file.writeFile(part)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      this.#log.warn('the chargers could not be kept for the next start', { why: reasonOf(error) })
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }

  #pathOf(source: string): string {
    return join(this.#folder, `${fileNameOf(source)}${this.#readBy === 'engine' ? '' : '.commands'}.json`)
  }
}

const fileNameOf = (source: string) => createHash('sha256').update(source).digest('hex').slice(0, 32)

/** Throws an error that says what is wrong with it. */
async function decode(bytes: Buffer, source: string, lastVersion: number): Promise<ChargerSet> {
  const headEnd = bytes.indexOf(NEWLINE)
  if (headEnd === -1) throw new Error('it is cut off')
  const head = Head.parse(JSON.parse(`${bytes.toString('utf8', 0, headEnd)}]}`))
  if (head.source !== source) throw new Error('it is of another service')
  const chargers: ChargePoint[] = []
  const lines = bytes.toString('utf8', headEnd + 1).split('\n')
  if (lines.at(-2) !== ']}') throw new Error('it is cut off')
  for (const line of lines.slice(0, -2)) {
    if (line !== '') chargers.push(KeptChargePoint.parse(JSON.parse(line.replace(/,$/, ''))))
    if (chargers.length % SLICE === 0) await yieldToEventLoop()
  }
  const { source: _, version, ...facts } = head
  return encodeSet({ ...facts, chargers }, () =>
    version > lastVersion ? version : newVersion(facts.atMs, lastVersion),
  )
}

/** Contains no path and no file content. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'it is damaged'
  if (error instanceof SyntaxError) return 'it is not JSON'
  return (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : 'unknown')
}
