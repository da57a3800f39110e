import type { Result, TextDraft, TextView } from '../../shared/contract.ts'
import type { AppErrorShape } from '../../shared/errors.ts'
import { inBackground } from './in-background.ts'

/** One alt text of one job. */
export interface TextKey {
  jobId: string
  languageCode: string
}

/**
 * `typing`: not on the disk yet; `draft`: on the disk, and not saved; `late`: saved, but not yet written beside the picture;
 * `unsent`: waits for the connection; `failed`: neither kept nor saved, and why.
 */
export type Saving =
  | { kind: 'quiet' | 'typing' | 'draft' | 'saving' | 'saved' | 'unsent' }
  | { kind: 'late'; why: string | null }
  | { kind: 'failed'; error: AppErrorShape }

export interface FieldView {
  /** What was typed in this window and is not saved; null where there is nothing. */
  words: string | null
  saving: Saving
  /** Drafts that these words stand in for, or that were discarded. */
  settles: readonly string[]
}

/** What stood in the field when typing began: the saved text, and drafts that were shown in its place. */
export interface Shown {
  saved: string
  drafts: readonly string[]
}

interface TextAnswer {
  texts?: TextView[]
  drafts: TextDraft[]
}

export interface TextKeeperDeps {
  /** Of this window: its drafts do not overwrite those of another. */
  draftId: string
  draft: (
    request: TextKey & { altText: string | null; draftId: string; replaces: string[] },
  ) => Promise<Result<TextAnswer>>
  save: (
    request: TextKey & { altText: string; settles: string[]; seen: string },
  ) => Promise<Result<TextAnswer & { sidecarWritten: boolean; why: string | null }>>
  /** What a job's texts and drafts are now. */
  onAnswer: (jobId: string, answer: TextAnswer) => void
  isConnected: () => boolean
  monotonicMs: () => number
  /** Calls back once; returns cancel. */
  setTimer: (delayMs: number, callback: () => void) => () => void
}

/** A draft is sent when typing pauses for `PAUSE_MS`, and at the latest `LONGEST_MS` after the first unsent keystroke. */
const PAUSE_MS = 300
const LONGEST_MS = 800
const RETRY_MS = 5000
const SAVED_SHOWN_MS = 4000

interface Entry {
  key: TextKey
  view: FieldView
  seen: string
  /** What the journal has of the words; undefined where that is not known. */
  kept: string | null | undefined
  /** When the first of the words was typed that the journal may not have. */
  unkeptSinceMs: number | null
  wantsSave: boolean
  wantsDiscard: boolean
  cancelTimer: (() => void) | null
}

const QUIET: FieldView = { words: null, saving: { kind: 'quiet' }, settles: [] }

/**
 * The words that are being typed into alt texts. They go to the journal as drafts while they are typed, and into the
 * sidecar when they are saved; until then they live here and not in a field, which may be taken away at any moment. What
 * cannot be sent waits, and goes out when `connected` is called.
 */
export class TextKeeper {
  readonly #deps: TextKeeperDeps
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<() => void>()

  constructor(deps: TextKeeperDeps) {
    this.#deps = deps
  }

  get draftId(): string {
    return this.#deps.draftId
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The same object until something changes. */
  view(key: TextKey): FieldView {
    return this.#entries.get(nameOf(key))?.view ?? QUIET
  }

  /** Some words are nowhere but in this window. */
  hasUnkept(): boolean {
    return [...this.#entries.values()].some(({ unkeptSinceMs }) => unkeptSinceMs !== null)
  }

  type(key: TextKey, words: string, shown: Shown): void {
    const entry = this.#entry(key)
    if (entry.view.words === null) {
      entry.seen = shown.saved
      this.#show(entry, { settles: [...new Set([...entry.view.settles, ...shown.drafts])] })
    }
    entry.wantsSave = entry.wantsDiscard = false
    entry.unkeptSinceMs ??= this.#deps.monotonicMs()
    this.#show(entry, { words, saving: { kind: this.#deps.isConnected() ? 'typing' : 'unsent' } })
    const leftMs = entry.unkeptSinceMs + LONGEST_MS - this.#deps.monotonicMs()
    this.#later(entry, Math.max(0, Math.min(PAUSE_MS, leftMs)), () => this.#send(entry, 'draft'))
  }

  /** The person left the field: what it shows counts from now on. */
  save(key: TextKey): void {
    const entry = this.#entries.get(nameOf(key))
    if (entry === undefined || entry.view.words === null) return
    // As it was: nothing is to be written, and no draft is to be left of it.
    if (entry.view.words.trim() === entry.seen) return this.discard(key)
    entry.wantsSave = true
    this.#send(entry, 'save')
  }

  /** The field goes away: words in it count, and what was said of earlier ones is over. */
  leave(key: TextKey): void {
    const entry = this.#entries.get(nameOf(key))
    if (entry === undefined) return
    if (entry.view.words !== null) this.save(key)
    else if (!entry.wantsDiscard) this.#forget(entry)
  }

  /** Gives the words up, here and in the journal. */
  discard(key: TextKey, drafts: readonly string[] = []): void {
    const entry = this.#entry(key)
    entry.wantsSave = false
    entry.wantsDiscard = true
    entry.unkeptSinceMs = null
    this.#show(entry, { words: null, saving: { kind: 'quiet' }, settles: [...entry.view.settles, ...drafts] })
    this.#send(entry, 'discard')
  }

  /** Sends at once what waits for a pause: the window may be about to go. */
  flush(): void {
    for (const entry of this.#entries.values()) if (entry.unkeptSinceMs !== null) this.#send(entry, 'draft')
  }

  /** There is a connection again: what could not be sent is sent. */
  connected(): void {
    for (const entry of this.#entries.values()) this.#again(entry)
  }

  #again(entry: Entry): void {
    if (entry.wantsSave) this.#send(entry, 'save')
    else if (entry.wantsDiscard) this.#send(entry, 'discard')
    else if (entry.unkeptSinceMs !== null) this.#send(entry, 'draft')
  }

  #send(entry: Entry, what: 'draft' | 'save' | 'discard'): void {
    inBackground(`text.${what}`, () => {
      if (what === 'save') return this.#sendSave(entry)
      return what === 'discard' ? this.#sendDiscard(entry) : this.#sendDraft(entry)
    })
  }

  async #sendDraft(entry: Entry): Promise<void> {
    const { words, settles } = entry.view
    this.#noTimer(entry)
    if (words === null) return
    if (entry.kept === words) return this.#isKept(entry)
    const replaces = [...settles]
    entry.kept = undefined
    const answer = await this.#deps.draft({ ...entry.key, altText: words, draftId: this.#deps.draftId, replaces })
    if (entry.view.words !== words || entry.wantsSave) return
    if (!answer.ok) return this.#failed(entry, answer.error)
    entry.kept = words
    this.#deps.onAnswer(entry.key.jobId, answer.value)
    this.#isKept(entry)
  }

  #isKept(entry: Entry): void {
    entry.unkeptSinceMs = null
    this.#show(entry, { saving: { kind: 'draft' } })
  }

  async #sendSave(entry: Entry): Promise<void> {
    const words = entry.view.words
    if (words === null) return
    const altText = words.trim()
    const settles = [this.#deps.draftId, ...entry.view.settles]
    this.#noTimer(entry)
    this.#show(entry, { saving: { kind: 'saving' } })
    const answer = await this.#deps.save({ ...entry.key, altText, settles, seen: entry.seen })
    if (!answer.ok) {
      if (entry.wantsSave) this.#failed(entry, answer.error)
      return
    }
    const { texts, sidecarWritten, why } = answer.value
    const saved = texts?.find(({ languageCode }) => languageCode === entry.key.languageCode)?.altText ?? altText
    entry.seen = saved
    entry.kept = null
    this.#deps.onAnswer(entry.key.jobId, answer.value)
    // What was typed while it was being saved stays, and is a draft.
    if (entry.view.words !== words) return this.#again(entry)
    entry.wantsSave = false
    entry.unkeptSinceMs = null
    this.#show(entry, { ...QUIET, saving: sidecarWritten ? { kind: 'saved' } : { kind: 'late', why } })
    if (sidecarWritten) this.#later(entry, SAVED_SHOWN_MS, () => this.#forget(entry))
  }

  async #sendDiscard(entry: Entry): Promise<void> {
    this.#noTimer(entry)
    const replaces = [...entry.view.settles]
    const answer = await this.#deps.draft({ ...entry.key, altText: null, draftId: this.#deps.draftId, replaces })
    if (!entry.wantsDiscard) return
    if (!answer.ok) {
      this.#later(entry, RETRY_MS, () => this.#again(entry))
      return
    }
    this.#deps.onAnswer(entry.key.jobId, answer.value)
    this.#forget(entry)
  }

  /** Without a connection it waits for one; any other failure is shown, and retried as long as the words are nowhere else. */
  #failed(entry: Entry, error: AppErrorShape): void {
    if (!this.#deps.isConnected()) return this.#show(entry, { saving: { kind: 'unsent' } })
    this.#show(entry, { saving: { kind: 'failed', error } })
    if (error.retryable || entry.unkeptSinceMs !== null) this.#later(entry, RETRY_MS, () => this.#again(entry))
  }

  #entry(key: TextKey): Entry {
    const name = nameOf(key)
    const known = this.#entries.get(name)
    if (known !== undefined) return known
    const entry: Entry = {
      ...{ key, view: QUIET, seen: '', kept: undefined, unkeptSinceMs: null },
      ...{ wantsSave: false, wantsDiscard: false, cancelTimer: null },
    }
    this.#entries.set(name, entry)
    return entry
  }

  #forget(entry: Entry): void {
    this.#noTimer(entry)
    this.#entries.delete(nameOf(entry.key))
    this.#tell()
  }

  #show(entry: Entry, change: Partial<FieldView>): void {
    entry.view = { ...entry.view, ...change }
    this.#tell()
  }

  #later(entry: Entry, delayMs: number, callback: () => void): void {
    this.#noTimer(entry)
    entry.cancelTimer = this.#deps.setTimer(delayMs, callback)
  }

  #noTimer(entry: Entry): void {
    entry.cancelTimer?.()
    entry.cancelTimer = null
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

const nameOf = ({ jobId, languageCode }: TextKey) => `${jobId}\n${languageCode}`
