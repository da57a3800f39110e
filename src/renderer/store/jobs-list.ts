import type { Result } from '../../shared/contract/call.ts'
import type { UiDelta } from '../../shared/contract/stream.ts'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import { inBackground } from '../bridge/in-background.ts'
import { movesWithChanges, type ListWish } from './jobs-filter.ts'
import { JobsIndex, type GivenSection } from './jobs-index.ts'

export interface ListView {
  index: JobsIndex | null
  /** `loading`: another list was requested and `index` is still the previous one. */
  phase: 'loading' | 'ready' | 'failed'
  error: AppErrorShape | null
  /** The number of new jobs among the changes that wait while the list is held. Null when no changes wait. */
  pending: number | null
}

export const NO_LIST: ListView = { index: null, phase: 'loading', error: null, pending: null }

interface ListDeps {
  ask: (wish: ListWish) => Promise<Result<{ sections: GivenSection[] }>>
  onView: (view: ListView) => void
}

/** Minimum interval between refreshes of a list that changed; it is also at least ten times the duration of a refresh. */
const REFRESH_MS = 2000
/** While the list is empty, a person may be waiting for the first picture. */
const EMPTY_REFRESH_MS = 100
const REFRESH_SHARE = 10
const RETRY_MS = 5000

/**
 * Requests the list again some time after jobs changed. While it is `held` (the pointer is on it) changes wait as `pending`, except
 * pictures that a person started, in a list that groups these: they look for them.
 */
export class ListKeeper {
  readonly #deps: ListDeps
  #view: ListView = NO_LIST
  #wish: ListWish | null = null
  /** Keys of sections. */
  #folded: ReadonlySet<string> = new Set()
  #held = false
  #next: JobsIndex | null = null
  #asked = 0
  #awaited = 0
  #isForced = false
  #isStale = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #answeredAtMs = -Infinity
  #tookMs = 0

  constructor(deps: ListDeps) {
    this.#deps = deps
  }

  /** Switches to another list; the previous one stays visible until it arrives. */
  show(wish: ListWish): void {
    this.#wish = wish
    this.#next = null
    this.#set({ phase: 'loading', error: null, pending: null })
    inBackground(() => this.#fetch(true))
  }

  /** Requests the list at once and shows it even while held: the person just changed something in it. */
  refresh(): void {
    if (this.#wish !== null) inBackground(() => this.#fetch(true))
  }

  take({ added, rows, stale }: Pick<UiDelta, 'added' | 'rows' | 'stale'>): void {
    if (this.#wish === null) return
    if (added.length > 0 || stale || (rows.length > 0 && movesWithChanges(this.#wish))) this.#isStale = true
    if (this.#isStale) this.#fetchLater()
  }

  hold(held: boolean): void {
    this.#held = held
    if (!this.#isHeld()) this.showPending()
  }

  showPending(): void {
    if (this.#next !== null) this.#become(this.#next.withFolded(this.#folded))
  }

  remove(ids: ReadonlySet<string>): void {
    this.#set({ index: this.#view.index?.without(ids) ?? null })
  }

  /** Folds a section, or unfolds it; it stays so in every list that has it. */
  toggle(key: string): void {
    const folded = new Set(this.#folded)
    if (!folded.delete(key)) folded.add(key)
    this.#folded = folded
    this.#set({ index: this.#view.index?.withFolded(folded) ?? null })
  }

  /** Stops all requests and updates until `show`. */
  stop(): void {
    this.#wish = null
    this.#asked += 1
    this.#awaited = 0
    this.#stopTimer()
  }

  #fetchLater(): void {
    if (this.#timer !== undefined || this.#awaited > 0) return
    const pauseMs = Math.max(this.#isEmpty() ? EMPTY_REFRESH_MS : REFRESH_MS, REFRESH_SHARE * this.#tookMs)
    const waitMs = this.#answeredAtMs + pauseMs - performance.now()
    this.#startTimer(Math.max(0, waitMs))
  }

  async #fetch(isForced: boolean): Promise<void> {
    if (this.#wish === null) return
    this.#stopTimer()
    this.#isStale = false
    this.#isForced ||= isForced
    const asked = ++this.#asked
    this.#awaited = asked
    const beganAtMs = performance.now()
    const result = await this.#deps.ask(this.#wish)
    const tookMs = performance.now() - beganAtMs
    // Lets the page be drawn first: a long list takes a while to process.
    await new Promise((resolve) => setTimeout(resolve))
    // Another list was requested meanwhile.
    if (asked !== this.#asked) return
    this.#awaited = 0
    this.#answeredAtMs = performance.now()
    this.#tookMs = tookMs
    if (result.ok) this.#takeList(new JobsIndex(result.value.sections, this.#wish.groupBy !== 'none', this.#folded))
    else this.#takeFailure(result.error)
    if (this.#isStale) this.#fetchLater()
  }

  #takeList(list: JobsIndex): void {
    const { index } = this.#view
    const isForced = this.#isForced
    this.#isForced = false
    if (index === null || isForced || !this.#isHeld()) return this.#become(list)
    const { watched, started } = index.newIn(list)
    const isOwn = this.#wish!.groupBy === 'batch' && watched === 0 && list.jobCount === index.jobCount + started
    if (isOwn && started > 0) return this.#become(list)
    this.#next = index.isSameAs(list) ? null : list
    this.#set({ phase: 'ready', error: null, pending: this.#next === null ? null : watched + started })
  }

  #takeFailure(error: AppErrorShape): void {
    this.#isForced = false
    // The previous list is not the requested one.
    if (this.#view.phase === 'ready') this.#set({ error })
    else this.#set({ phase: 'failed', error, index: null })
    this.#startTimer(RETRY_MS)
  }

  #startTimer(delayMs: number): void {
    this.#timer = setTimeout(() => inBackground(() => this.#fetch(false)), delayMs)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #isEmpty(): boolean {
    return (this.#view.index?.jobCount ?? 0) === 0
  }

  /** An empty list is never held, since nothing in it could move. */
  #isHeld(): boolean {
    return this.#held && !this.#isEmpty()
  }

  #become(index: JobsIndex): void {
    this.#next = null
    this.#set({ index, phase: 'ready', error: null, pending: null })
  }

  #set(part: Partial<ListView>): void {
    this.#view = { ...this.#view, ...part }
    this.#deps.onView(this.#view)
  }
}
