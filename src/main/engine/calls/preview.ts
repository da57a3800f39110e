import type { CheckedRequest } from '../../../shared/contract/calls.ts'
import { NO_FOREIGN_FOLDERS, type IntakePreview } from '../../../shared/contract/intake.ts'
import { AppError, toAppError } from '../../../shared/sentences/errors.ts'
import { NO_SERVICE } from '../../../shared/recipes/recipe.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { sleep } from '../../core/sleep.ts'
import { previewIntake, PreviewTotals } from '../../intake/preview-intake.ts'
import { checkedPaths, findPictures, foreignFolders } from '../../intake/run-intake.ts'
import { expectedHolds } from '../../queue/spend.ts'
import type { CallsDeps } from './call-deps.ts'
import { priceOf } from './ask-service.ts'

const MAX_INSPECTED = 300
/** The preview ends after this, with what is known by then. */
const MAX_PREVIEW_MS = 10_000
/** For finding files, which may take minutes on a slow drive. */
const MAX_FIND_MS = 6_000
/** After this the preview is shown without a price. */
const MAX_PRICE_MS = 10_000
/** Each call is answered within this time, with what is known by then. */
const ANSWER_MS = 250
/** A preview that has not been polled for this long is stopped: its page is gone. */
const FORGOTTEN_MS = 10_000

type PreviewRequest = CheckedRequest<'intake.preview'>

interface Running {
  abort: AbortController
  complete: Promise<IntakePreview>
  soFar: () => IntakePreview
  cancelForgetting: () => void
}

/** Previews that continue between calls, each until it is complete, stopped, or no longer polled. */
export class Previews {
  readonly #deps: CallsDeps
  readonly #running = new Map<string, Running>()

  constructor(deps: CallsDeps) {
    this.#deps = deps
  }

  /** Starts a preview and returns what is known after a moment. Throws as `checkedPaths` and for invalid globs. */
  async start(request: PreviewRequest): Promise<IntakePreview> {
    const own = this.#deps.own()
    const paths = await checkedPaths(request, own)
    const id = this.#deps.makeId()
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, this.#deps.stopping])
    const preview = beginPreview(this.#deps, id, { ...request, paths }, signal)
    // Reported by the next poll, if there is one.
    preview.complete.catch(() => undefined)
    this.#running.set(id, { ...preview, abort, cancelForgetting: () => undefined })
    return this.more(id)
  }

  /** What is known after another moment. Throws `not_found` if it is not under way. */
  async more(id: string): Promise<IntakePreview> {
    const running = this.#running.get(id)
    if (running === undefined) throw new AppError('not_found', say('preview_gone'))
    const { clock } = this.#deps.context
    running.cancelForgetting()
    const answered = new AbortController()
    try {
      const first = await Promise.race([running.complete, sleep(clock, ANSWER_MS, answered.signal)])
      if (first === undefined) {
        running.cancelForgetting = clock.setTimer(FORGOTTEN_MS, () => this.stop(id))
        return running.soFar()
      }
      this.#running.delete(id)
      return first
    } catch (error) {
      this.#running.delete(id)
      throw error
    } finally {
      answered.abort()
    }
  }

  stop(id: string): void {
    const running = this.#running.get(id)
    running?.cancelForgetting()
    running?.abort.abort(new AppError('aborted', say('stopped_on_request')))
    this.#running.delete(id)
  }
}

function beginPreview(
  deps: CallsDeps,
  id: string,
  request: PreviewRequest,
  signal: AbortSignal,
): Pick<Running, 'complete' | 'soFar'> {
  const { context, lanes, own } = deps
  const { clock } = context
  const { recipe } = request
  const serviceId = lanes.activeId ?? NO_SERVICE
  const asked = { ...request, serviceId, insteadOf: new Set(request.insteadOf), isPatient: false }
  const totals = new PreviewTotals()
  const all = { count: 0, bytes: 0 }
  let toInspect: number | null = null
  let leftOut = { foreign: NO_FOREIGN_FOLDERS, otherTypes: 0 }
  const summary = (isEstimate: boolean) => totals.summary(all, isEstimate, recipe.format)
  const complete = async (): Promise<IntakePreview> => {
    const untilMs = clock.monotonicMs() + MAX_PREVIEW_MS
    const enough = new AbortController()
    const cancelFind = clock.setTimer(MAX_FIND_MS, () => enough.abort())
    const onFound = (images: readonly { sizeBytes: number }[]) => {
      all.count += images.length
      for (const { sizeBytes } of images) all.bytes += sizeBytes
    }
    const found = await findPictures(request, own(), signal, { enough: enough.signal, onFound }).finally(cancelFind)
    // Each picture counts once, even if paths overlap.
    Object.assign(all, { count: 0, bytes: 0 })
    onFound(found.images)
    const chosen = spread(found.images, MAX_INSPECTED)
    toInspect = chosen.length
    leftOut = { foreign: foreignFolders(found.foreign), otherTypes: found.otherTypes }
    let isEstimate = found.isCut || chosen.length < all.count
    for await (const prospect of previewIntake(context, chosen, asked, signal)) {
      totals.add(prospect)
      if (clock.monotonicMs() < untilMs) continue
      isEstimate = true
      break
    }
    const { facts, groups } = summary(isEstimate)
    const dispatches = facts.toSend
    // Adding the pictures after this preview approves them.
    const spend = { dispatches, pictures: dispatches, confirmed: true, maxCredits: null, creditsPerImage: null }
    const held = expectedHolds(context, { ...spend, serviceId })
    const cost = await priceOrNull(deps, groups, isEstimate, signal)
    return { ...facts, ...leftOut, ...cost, held, progress: null }
  }
  return {
    complete: complete(),
    soFar: () => {
      const progress = { id, inspected: totals.inspected, of: toInspect }
      const { facts } = summary(totals.inspected < all.count)
      return { ...facts, ...leftOut, ...NOT_PRICED, progress }
    },
  }
}

const NOT_PRICED = { held: null, price: null, away: false }

/** An evenly spaced sample, since the first ones may all be alike. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, n) => items[Math.floor((n * items.length) / most)]!)
}

async function priceOrNull(
  deps: CallsDeps,
  groups: Parameters<typeof priceOf>[1],
  isEstimate: boolean,
  signal: AbortSignal,
): Promise<Pick<IntakePreview, 'price' | 'away'>> {
  const { context } = deps
  const late = new AbortController()
  const cancel = context.clock.setTimer(MAX_PRICE_MS, () => late.abort())
  try {
    const price = await priceOf(deps, groups, AbortSignal.any([signal, late.signal]))
    return { price: { ...price, atMost: price.atMost || isEstimate }, away: false }
  } catch (error) {
    signal.throwIfAborted()
    context.log.debug('no price for a preview', { error: String(error) })
    const isAway = late.signal.aborted || toAppError(error).code === 'service_unreachable'
    return { price: null, away: isAway }
  } finally {
    cancel()
  }
}
