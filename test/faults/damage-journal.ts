import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../src/shared/runtime/ports.ts'
import { damageCells } from './damage-cells.ts'

/** The files of a journal, as a process that was killed left them. */
export interface JournalFiles {
  journal: Buffer
  wal: Buffer
  /** The mark of what was sent last. It stays whole: one that is lost as well is as if it had never been. */
  sent: Buffer
}

const HEADER_BYTES = 100
/** One in so many is a sound database that holds what no Hangar wrote. */
const ONE_OF_CELLS = 3

/** Puts a journal into the empty folder `dir`, with one to three damaged places or cells, and says which. */
export function layDamaged(dir: string, files: JournalFiles, other: JournalFiles, random: Random): string {
  const path = join(dir, 'journal.db')
  writeFileSync(`${path}-sent`, files.sent)
  if (random() < 1 / ONE_OF_CELLS) {
    writeFileSync(path, files.journal)
    writeFileSync(`${path}-wal`, files.wal)
    return `cells: ${damageCells(path, random)}`
  }
  const { journal, wal } = damageBytes(files, other, random)
  writeFileSync(path, journal)
  if (wal.length > 0) writeFileSync(`${path}-wal`, wal)
  return 'bytes'
}

function damageBytes(files: JournalFiles, other: JournalFiles, random: Random): Pick<JournalFiles, 'journal' | 'wal'> {
  let { journal, wal } = { journal: Buffer.from(files.journal), wal: Buffer.from(files.wal) }
  const below = (limit: number) => Math.floor(random() * limit)
  // Bytes 16 and 17: the size of a page.
  const pageBytes = files.journal.readUInt16BE(16)
  const page = () => below(Math.floor(journal.length / pageBytes)) * pageBytes
  const flip = (bytes: Buffer, from: number, to: number) => {
    const at = from + below(Math.max(1, to - from))
    if (at < bytes.length) bytes[at]! ^= 1 << below(8)
  }
  const kinds: (() => void)[] = [
    () => flip(journal, 0, journal.length),
    () => flip(journal, 0, HEADER_BYTES),
    () => flip(wal, 0, wal.length),
    () => {
      const at = page()
      for (let times = 1 + below(40); times > 0; times -= 1) flip(journal, at, at + pageBytes)
    },
    () => {
      const at = page()
      journal.fill(0, at, Math.min(at + pageBytes, journal.length))
    },
    () => {
      const [from, to] = [page(), page()]
      journal.copy(journal, to, from, from + pageBytes)
    },
    // Two pages swapped.
    () => {
      const [one, two] = [page(), page()]
      const kept = Buffer.from(journal.subarray(one, one + pageBytes))
      journal.copy(journal, one, two, two + pageBytes)
      kept.copy(journal, two)
    },
    () => (journal = journal.subarray(0, below(journal.length))),
    () => (wal = wal.subarray(0, below(wal.length))),
    () => (wal = Buffer.from(other.wal)),
    () => (wal = Buffer.alloc(0)),
    // A number of the header: versions, sizes, counts, the list of free pages.
    () => {
      const at = 4 * (4 + below(17))
      if (at + 4 <= journal.length) journal.writeUInt32BE(below(2 ** 32), at)
    },
    // The beginning of a page: its kind, its cells and where they lie.
    () => {
      const at = page()
      for (let n = 0; n < 12 && at + n < journal.length; n += 1) if (random() < 0.3) journal[at + n] = below(256)
    },
  ]
  for (let times = 1 + below(3); times > 0; times -= 1) if (journal.length > 0) kinds[below(kinds.length)]!()
  return { journal, wal }
}
