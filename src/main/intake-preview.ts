import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { IntakePreview } from '../shared/contract.ts'
import { toAppError } from '../shared/errors.ts'
import type { ImageType, Recipe, ServiceId } from '../shared/recipe.ts'
import type { Reason } from '../shared/reasons.ts'
import { NamesToCome } from './core/output-names.ts'
import { maxSourceBytes, type WorkPlan } from './core/plan-work.ts'
import type { SpendGroup } from './core/spend-guard.ts'
import { spendGroups } from './core/spend-groups.ts'
import type { QueueContext } from './queue/context.ts'
import { lookAtPicture } from './queue/look-at-picture.ts'
import { findOutput } from './queue/outputs.ts'
import { findPayment } from './queue/payments.ts'
import { checkedPath } from './run-intake.ts'
import type { OwnPlaces } from './watch/own-places.ts'
import { findImages, type FoundImage } from './watch/find-images.ts'

/** So many pictures are opened; the rest is counted by name. */
export const LOOKED_AT_MOST = 300
/** Looking ends after so long, with what was seen until then. */
const LONGEST_MS = 10_000
/** Of this at most so much is spent on finding names: on a slow drive that alone may take minutes. */
const LONGEST_FIND_MS = 6_000
/** Pictures opened at once. */
const LANES = 3
const EXAMPLES = 5
const REFUSALS = 20
const byName = new Intl.Collator('en', { numeric: true }).compare

export interface PreviewOrder {
  paths: string[]
  recipe: Recipe
  include: string[]
  exclude: string[]
}

/** A preview without its price, and what the price is to be asked for. */
export interface Preview {
  facts: Omit<IntakePreview, 'price'>
  groups: SpendGroup[]
}

type Seen =
  | { kind: 'send'; paidKey: string; work: Work }
  | { kind: 'free'; work: Work }
  /** Nothing would be written. */
  | { kind: 'done' }
  /** One of Hangar's own results, which does not count as a picture. */
  | { kind: 'result'; sizeBytes: number }
  | { kind: 'refused'; name: string; reason: Reason }
interface Work {
  path: string
  rootDir: string
  image: { type: ImageType; sizeBytes: number }
  plan: WorkPlan
}
type Example = IntakePreview['examples'][number]

/**
 * What an order would bring, found out with the eyes of the intake itself; nothing is stored, written or sent. Throws
 * `bad_request` for a path where nothing is, Hangar's own files or useless globs, and `signal`'s reason when aborted.
 */
export async function previewIntake(
  context: QueueContext,
  order: PreviewOrder,
  serviceId: ServiceId,
  own: OwnPlaces,
  signal: AbortSignal,
): Promise<Preview> {
  const paths = await Promise.all(order.paths.map((path) => checkedPath(path, own)))
  const { clock } = context
  const enough = new AbortController()
  const cancelFind = clock.setTimer(LONGEST_FIND_MS, () => enough.abort())
  const untilMs = clock.monotonicMs() + LONGEST_MS
  const { include, exclude, recipe } = order
  const leftOut = recipe.output.kind === 'folder' ? [recipe.output.dir] : []
  const found = await findImages(paths, { include, exclude, leftOut, own, signal, enough: enough.signal }).finally(
    cancelFind,
  )
  const chosen = spread(found.images, LOOKED_AT_MOST)
  const seen: (Seen | null)[] = []
  let next = 0
  const lane = async () => {
    while (next < chosen.length && clock.monotonicMs() < untilMs) {
      signal.throwIfAborted()
      const at = next++
      seen[at] = await look(context, recipe, serviceId, chosen[at]!)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return summary(found.images, looked(seen, context, recipe), recipe, found.isCut || next < found.images.length)
}

/** Some of many, evenly from first to last: the first ones may all be alike. */
export function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items]
  return Array.from({ length: most }, (_, n) => items[Math.floor((n * items.length) / most)]!)
}

/** Null for what the intake would pass over: a file that went away, or one that is being changed. */
async function look(
  context: QueueContext,
  recipe: Recipe,
  serviceId: ServiceId,
  { path, rootDir, isNamed }: FoundImage,
): Promise<Seen | null> {
  const name = basename(path)
  const order = { path, rootDir, folderId: null, batchId: '', recipe, serviceId, force: false, isNamed }
  try {
    const read = await context.files.readSource(path, rootDir, maxSourceBytes(recipe))
    if (read.kind === 'refused') return { kind: 'refused', name, reason: { code: read.reason, detail: read.detail } }
    if (read.kind !== 'snapshot') return null
    const picture = await lookAtPicture(context, order, read)
    switch (picture.kind) {
      case 'refused':
        return { kind: 'refused', name, reason: { code: picture.reason, detail: picture.detail.slice(0, 500) } }
      case 'work': {
        const image = { type: picture.image.type, sizeBytes: read.sizeBytes }
        const work = { path, rootDir, image, plan: picture.plan }
        const { paidKey, told } = picture
        if (told.isDone) return { kind: 'done' }
        const isPaid = paidKey === null || told.result !== null || findPayment(context.db, paidKey) !== null
        return isPaid ? { kind: 'free', work } : { kind: 'send', paidKey, work }
      }
      case 'ownOutput':
        return { kind: 'result', sizeBytes: read.sizeBytes }
      case 'ordered':
      case 'nothingToDo':
        return { kind: 'done' }
    }
  } catch (error) {
    const { code, message } = toAppError(error)
    if (code === 'internal') throw error
    return { kind: 'refused', name, reason: { code: 'unreadable', detail: message.slice(0, 500) } }
  }
}

interface Looked {
  seen: Seen[]
  examples: Example[]
}

/** Names the results in the order of the pictures, since several lanes looked at them. */
function looked(all: readonly (Seen | null | undefined)[], context: QueueContext, recipe: Recipe): Looked {
  const seen = all.filter((one) => one != null)
  const given = new NamesToCome()
  const examples = seen.flatMap((one) => ('work' in one ? [exampleOf(context, recipe, given, one.work)] : []))
  return { seen, examples }
}

function exampleOf(context: QueueContext, recipe: Recipe, given: NamesToCome, work: Work): Example {
  const { path, rootDir, image, plan } = work
  const source = basename(path)
  const { targetDir } = context.files.place(path, rootDir, recipe.output, null)
  // An earlier result of the same picture is replaced.
  const isTaken = (name: string) =>
    existsSync(join(targetDir, name)) && findOutput(context.db, join(targetDir, name))?.sourcePath !== path
  return { source, outputs: given.of(targetDir, { name: source, ...image }, recipe, plan, isTaken) }
}

function summary(
  images: readonly FoundImage[],
  { seen, examples }: Looked,
  recipe: Recipe,
  estimated: boolean,
): Preview {
  const keys = seen.flatMap((one) => (one.kind === 'send' ? [one.paidKey] : []))
  const refusals = seen.filter((one) => one.kind === 'refused')
  // The same content twice is sent once.
  const sent = new Set(keys).size
  const scale = estimated && seen.length > 0 ? images.length / seen.length : 1
  const scaled = (count: number) => Math.round(count * scale)
  const results = seen.filter((one) => one.kind === 'result')
  const done = seen.filter(({ kind }) => kind === 'done').length
  const resultBytes = results.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    facts: {
      pictures: images.length - scaled(results.length),
      totalBytes: Math.max(0, images.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - scaled(resultBytes)),
      toSend: scaled(sent),
      free: scaled(seen.length - refusals.length - results.length - done - sent),
      done: scaled(done),
      refused: scaled(refusals.length),
      refusals: refusals.slice(0, REFUSALS).map(({ name, reason }) => ({ name, reason })),
      estimated,
      examples: examples.toSorted((one, other) => byName(one.source, other.source)).slice(0, EXAMPLES),
    },
    groups: spendGroups(keys, recipe.format).map((group) => ({ ...group, images: scaled(group.images) })),
  }
}
