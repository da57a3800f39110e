import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import sharp from 'sharp'
import { LedgerLine, type LedgerCharge } from '../../src/practice/protocol.ts'
import { END_STATES } from '../../src/shared/sentences/job-states.ts'
import { Sidecar, SIDECAR_SUFFIX } from '../../src/shared/jobs/sidecar.ts'
import { readJournal, type JournalView } from './journal-view.ts'
import { recordEntry, recordTree, sha256Of, type EntryRecord } from './tree-record.ts'

const WINDOW_MS = 60_000

/** What a test knows about its world from outside, recorded before Hangar ran or told by the service. */
export interface CheckedWorld {
  /** Everything of this test lies below; nothing may come to be here outside `folders` and `dataDirs`. */
  base: string
  /** The folders that results may be written into (watched folders, output folders). */
  folders: string[]
  /** One for each Hangar (computer) that worked on the folders. */
  dataDirs: string[]
  /** What lay in `base`, outside `folders` and `dataDirs`, before. */
  surroundings: ReadonlyMap<string, EntryRecord>
  /** Pictures that a person put there and that must still be as they were. */
  originals: ReadonlyMap<string, EntryRecord>
  /** Files in `folders` that are nobody's pictures; Hangar must leave them alone. */
  foreign: ReadonlyMap<string, EntryRecord>
  /** Everything the service saw and charged. */
  ledger: readonly LedgerLine[]
  /** How often a charge of this content may have been repeated because a person approved it. */
  approvedRepeats?: ReadonlyMap<string, number>
  /** Keys that must appear nowhere. */
  canaries: readonly string[]
  /** What was said: logs, standard output and error. */
  said: readonly string[]
  /** Environment and arguments of the processes that Hangar started, and arguments of Hangar. */
  processTexts: readonly string[]
  requestsPerMinute: number
  /** Hangar was started again after the last crash and has come to rest: no part may be left (I6). */
  afterRestart: boolean
  /** Pictures that must have reached an end state by now (I4). */
  eligible?: readonly string[]
  /** The bytes that the service gave for an image, to compare results with; null when it no longer has them. */
  served?: (imageId: string) => Promise<Buffer | null>
  /** Originals may have been replaced because a recipe says so: then a backup has the bytes. */
  replaced?: boolean
  /** Results carry texts: what the service gave may have got other metadata, and no other pixels. */
  rewritten?: boolean
}

interface Facts {
  world: CheckedWorld
  journals: JournalView[]
  charges: LedgerCharge[]
  /** Every entry of `folders`, now. */
  tree: ReadonlyMap<string, EntryRecord>
}

/** The invariants I1 to I12 of docs/reliability.md. Returns what is broken, one line each; nothing means all hold. */
export async function checkInvariants(world: CheckedWorld): Promise<string[]> {
  const facts: Facts = {
    world,
    journals: world.dataDirs.map((dir) => readJournal(dir)).filter((journal) => journal !== null),
    charges: world.ledger.filter((line) => line.type === 'charge'),
    tree: new Map(world.folders.filter((dir) => existsSync(dir)).flatMap((dir) => [...recordTree(dir)])),
  }
  return [
    ...originalsUntouched(facts),
    ...(await resultsWhole(facts)),
    ...chargedOnce(facts),
    ...everyPictureEnded(facts),
    ...noOutputTakenIn(facts),
    ...noPartLeft(facts),
    ...foreignUntouched(facts),
    ...keyNowhere(facts),
    ...withinTheRate(facts),
    ...dispatchesAsCharged(facts),
    ...nothingOutside(facts),
    ...rightsOutside(facts),
  ]
}

function difference(before: EntryRecord, now: EntryRecord | null): string | null {
  if (now === null) return 'is gone'
  if (now.kind !== before.kind) return `is now a ${now.kind}`
  if (now.sha256 !== before.sha256) return 'has other bytes'
  if (before.kind !== 'file') return null
  if (now.mtimeNs !== before.mtimeNs) return 'has another mtime'
  return now.ino === before.ino ? null : 'has another inode'
}

function originalsUntouched({ world, tree }: Facts): string[] {
  return [...world.originals].flatMap(([path, before]) => {
    const changed = difference(before, recordEntry(path))
    if (changed === null) return []
    const kept = [...tree].some(
      ([other, entry]) => other !== path && entry.sha256 === before.sha256 && entry.mtimeNs === before.mtimeNs,
    )
    return world.replaced === true && kept ? [] : [`I1 ${path} ${changed}`]
  })
}

/** Also: a final name is never half. What has no name in the journal and is nobody's is not supposed to exist. */
async function resultsWhole({ world, journals, tree }: Facts): Promise<string[]> {
  const problems: string[] = []
  const known = new Map<string, Set<string>>()
  for (const output of journals.flatMap((journal) => journal.outputs)) {
    const hashes = known.get(output.path) ?? new Set()
    known.set(output.path, hashes.add(output.sha256))
    if (output.state !== 'published') continue
    const now = tree.get(output.path) ?? recordEntry(output.path)
    if (now === null) problems.push(`I2 ${output.path} is listed as published and is not there`)
  }
  for (const [path, entry] of tree) {
    if (entry.kind !== 'file' || world.originals.has(path) || world.foreign.has(path) || isOwnHidden(path)) continue
    if (path.endsWith(SIDECAR_SUFFIX)) {
      if (!isSidecar(path)) problems.push(`I2 ${path} is no whole sidecar`)
      continue
    }
    const hashes = known.get(path)
    if (hashes === undefined) problems.push(`I2 ${path} is there and no journal knows it`)
    else if (!hashes.has(entry.sha256!)) problems.push(`I2 ${path} has other bytes than the journal says`)
    else if (!(await decodes(readFileSync(path)))) problems.push(`I2 ${path} does not decode to its end`)
  }
  return [...problems, ...(await asServed(world, journals, tree))]
}

async function asServed(
  world: CheckedWorld,
  journals: JournalView[],
  tree: ReadonlyMap<string, EntryRecord>,
): Promise<string[]> {
  if (world.served === undefined) return []
  const problems: string[] = []
  for (const journal of journals) {
    const jobs = new Map(journal.jobs.map((job) => [job.path, job]))
    for (const output of journal.outputs) {
      if (output.role !== 'optimized' || output.state !== 'published') continue
      const paidKey = jobs.get(output.sourcePath)?.paidKey
      const imageId = journal.payments.find((payment) => payment.paidKey === paidKey)?.imageId
      const served = imageId == null ? null : await world.served(imageId)
      if (served === null || tree.get(output.path)?.sha256 === sha256Of(served)) continue
      if (world.rewritten !== true || !(await samePixels(output.path, served)))
        problems.push(`I2 ${output.path} is not what the service gave`)
    }
  }
  return problems
}

async function samePixels(path: string, served: Buffer): Promise<boolean> {
  if (!existsSync(path)) return false
  const [now, then] = await Promise.all([readFileSync(path), served].map((bytes) => sharp(bytes).raw().toBuffer()))
  return now!.equals(then!)
}

function isSidecar(path: string): boolean {
  try {
    return Sidecar.safeParse(JSON.parse(readFileSync(path, 'utf8'))).success
  } catch {
    return false
  }
}

async function decodes(bytes: Buffer): Promise<boolean> {
  return sharp(bytes, { failOn: 'truncated', animated: true })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )
}

/** What a charge paid for, without where it was paid: `sha256|operation|languages|format`. */
function boughtBy({ sha256, operation, languages, format }: LedgerCharge): string {
  return [sha256, operation, languages.length === 0 ? '-' : [...languages].sort().join(','), format ?? '-'].join('|')
}

/** The same of a journal's paid key, which begins with the service. */
const boughtWith = (paidKey: string): string => paidKey.split('|').slice(-4).join('|')

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

function chargedOnce({ world, charges }: Facts): string[] {
  return [...countBy(charges, boughtBy)].flatMap(([bought, times]) => {
    const allowed = 1 + (world.approvedRepeats?.get(bought.split('|')[0]!) ?? 0)
    return times <= allowed ? [] : [`I3 ${bought} was charged ${times} times, ${allowed} allowed`]
  })
}

function everyPictureEnded({ world, journals }: Facts): string[] {
  const ended = new Set<string>(END_STATES)
  const jobs = journals.flatMap((journal) => journal.jobs)
  const open = world.eligible === undefined ? [] : jobs.filter((job) => !ended.has(job.state))
  const listed = new Set(jobs.map((job) => job.path))
  return [
    ...open.map((job) => `I4 ${job.path} is still ${job.state}${job.reason === null ? '' : ` (${job.reason})`}`),
    ...(world.eligible ?? []).filter((path) => !listed.has(path)).map((path) => `I4 ${path} was never taken in`),
  ]
}

function noOutputTakenIn({ journals, charges, world }: Facts): string[] {
  const own = new Set(journals.flatMap((journal) => [...journal.outputHashes]))
  for (const original of world.originals.values()) own.delete(original.sha256!)
  return [
    ...charges.filter(({ sha256 }) => own.has(sha256)).map(({ filename }) => `I5 the output ${filename} was sent`),
    ...journals
      .flatMap((journal) => journal.jobs)
      .filter((job) => job.sha256 !== null && own.has(job.sha256) && job.reason !== 'own_output')
      .map((job) => `I5 the output ${job.path} became a job (${job.state})`),
  ]
}

/** Hidden names that Hangar uses; only `.hangar-originals` and what is in it may stay. */
const isOwnHidden = (path: string) => path.split(sep).some((part) => part.startsWith('.hangar'))

function noPartLeft({ world, tree }: Facts): string[] {
  if (!world.afterRestart) return []
  return [...tree.keys()]
    .filter((path) => /^\.hangar-.*\.(part|old)$/.test(basename(path)))
    .map((path) => `I6 ${path} was left behind`)
}

function foreignUntouched({ world }: Facts): string[] {
  return [...world.foreign].flatMap(([path, before]) => {
    const changed = difference(before, recordEntry(path))
    return changed === null ? [] : [`I7 ${path} ${changed}`]
  })
}

function keyNowhere({ world }: Facts): string[] {
  const problems: string[] = []
  for (const canary of world.canaries) {
    const forms = [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64').replace(/=+$/, '')]
    const needles = [...forms.map((form) => Buffer.from(form)), Buffer.from(canary, 'utf16le')]
    const holds = (bytes: Buffer) => needles.some((needle) => bytes.includes(needle))
    for (const file of filesBelow(world.base))
      if (holds(Buffer.from(file)) || (!isUnusedIndex(file) && holds(readFileSync(file))))
        problems.push(`I8 the key is in ${file}`)
    if (holds(Buffer.from(world.said.join('\n')))) problems.push('I8 the key is in what was said')
    if (holds(Buffer.from(world.processTexts.join('\n')))) problems.push('I8 the key is in a process')
  }
  return problems
}

/**
 * Whether it is a WAL's index without a frame (mxFrame, at byte 16, is 0). When an engine was killed before its first
 * write, reading the journal here puts memory of this process in it, which has the practice service's key in it. What
 * Hangar leaves in one is tested in queue/locks.
 */
function isUnusedIndex(file: string): boolean {
  if (!file.endsWith('.db-shm')) return false
  const head = readFileSync(file).subarray(16, 20)
  return head.every((byte) => byte === 0)
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

/** Counted at the service, per key, over every trailing minute. */
function withinTheRate({ world }: Facts): string[] {
  const times = new Map<string, number[]>()
  for (const line of world.ledger)
    if (line.type === 'request' && line.keyId !== null)
      times.set(line.keyId, [...(times.get(line.keyId) ?? []), line.atMs])
  return [...times].flatMap(([keyId, list]) => {
    const most = mostInWindow(list.sort((a, b) => a - b))
    return most <= world.requestsPerMinute ? [] : [`I9 ${most} requests of ${keyId} in one minute`]
  })
}

/** The most of these ascending times that lie within one minute. */
export function mostInWindow(sorted: readonly number[]): number {
  let first = 0
  let most = 0
  for (const [last, atMs] of sorted.entries()) {
    while (sorted[first]! <= atMs - WINDOW_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Every charge has its dispatch in a journal, and every dispatch that was accepted its charge. */
function dispatchesAsCharged({ journals, charges }: Facts): string[] {
  const dispatches = journals.flatMap((journal) => journal.dispatches)
  const charged = countBy(charges, boughtBy)
  const accepted = countBy(
    dispatches.filter(({ outcome }) => outcome === 'accepted'),
    ({ paidKey }) => boughtWith(paidKey),
  )
  const possible = countBy(
    dispatches.filter(({ outcome }) => outcome === 'accepted' || outcome === 'unknown' || outcome === 'open'),
    ({ paidKey }) => boughtWith(paidKey),
  )
  return [...new Set([...charged.keys(), ...possible.keys()])].flatMap((bought) => {
    const [least, times, most] = [accepted, charged, possible].map((counts) => counts.get(bought) ?? 0)
    if (times! < least!) return [`I10 ${bought}: ${least} dispatches were accepted, ${times} charged`]
    return times! <= most! ? [] : [`I10 ${bought}: ${times} charges, the journals know of ${most}`]
  })
}

function nothingOutside({ world, journals }: Facts): string[] {
  const leftOut = [...world.folders, ...world.dataDirs]
  const now = recordTree(world.base, leftOut)
  const strange = [...now.keys()].filter((path) => !world.surroundings.has(path))
  const changed = [...world.surroundings].flatMap(([path, before]) => {
    const change = difference(before, now.get(path) ?? null)
    return change === null ? [] : [`I11 ${path} ${change}`]
  })
  const astray = journals
    .flatMap((journal) => journal.outputs)
    .filter(({ path }) => !world.folders.some((dir) => path.startsWith(dir + sep)))
  const links = [...recordTree(world.base)].filter(
    ([path, { kind, mode }]) =>
      kind === 'other' &&
      !world.foreign.has(path) &&
      !world.surroundings.has(path) &&
      // A killed engine leaves its socket behind; nobody else may use it.
      !(mode === 0o600 && world.dataDirs.some((dir) => path === join(dir, '.hangar-socket'))),
  )
  return [
    ...strange.map((path) => `I11 ${path} came to be`),
    ...changed,
    ...astray.map(({ path }) => `I11 the journal lists ${path}`),
    ...links.map(([path]) => `I11 ${path} is a link or device to ${readlinkOr(path)}`),
  ]
}

/** Bytes, time, inode and place are with I11. */
function rightsOutside({ world }: Facts): string[] {
  return [...world.surroundings].flatMap(([path, before]) => {
    const now = recordEntry(path)
    if (now === null) return []
    return [
      ...(now.mode === before.mode
        ? []
        : [`I12 ${path} has mode ${now.mode.toString(8)}, not ${before.mode.toString(8)}`]),
      ...(now.uid === before.uid ? [] : [`I12 ${path} has owner ${now.uid}, not ${before.uid}`]),
    ]
  })
}

function readlinkOr(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return '?'
  }
}

/** The lines of a ledger file; a line that a kill cut short is not there yet. */
export function parseLedger(text: string): LedgerLine[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => LedgerLine.parse(JSON.parse(line)))
}
