import type { Result } from '../../shared/contract/call.ts'
import type { TextDraft, TextView } from '../../shared/contract/texts.ts'
import type { Sentence } from '../../shared/sentences/sentence.ts'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import { inBackground } from '../bridge/in-background.ts'

/** One alt text of one job. */
export interface TextKey {
  jobId: string
  languageCode: string
}

/**
 * `typing`: not on disk yet; `draft`: on disk, but not saved; `late`: saved, but not yet in the sidecar; `unsent`: waits for
 * the connection; `failed`: neither stored nor saved, and why; `discarding`: given up, but still on disk.
 */
export type Saving =
  | { kind: 'quiet' | 'typing' | 'draft' | 'saving' | 'saved' | 'unsent' | 'discarding' }
  | { kind: 'late'; why: Sentence | null }
  | { kind: 'failed'; error: AppErrorShape }

export interface FieldView {
  /** Text that was typed in this window and is not saved; null when there is none. */
  words: string | null
  saving: Saving
}

interface TextAnswer {
  texts?: TextView[]
  drafts: TextDraft[]
}

interface TextKeeperDeps {
  draft: (request: TextKey & { altText: string | null }) => Promise<Result<TextAnswer>>
  save: (
    request: TextKey & { altText: string },
  ) => Promise<Result<TextAnswer & { sidecarWritten: boolean; why: Sentence | null }>>
  /** Called with a job's current texts and drafts. */
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
  /** The saved text as the field showed it when typing began. */
  saved: string
  /** The text that the journal has; undefined when unknown. */
  kept: string | null | undefined
  /** When the first keystroke was made that the journal may lack. */
  unkeptSinceMs: number | null
  wantsSave: boolean
  wantsDiscard: boolean
  cancelTimer: (() => void) | null
}

const QUIET: FieldView = { words: null, saving: { kind: 'quiet' } }

/**
 * Texts that are being typed into alt text fields. They go to the journal as drafts during typing, and into the sidecar when
 * saved; until then they are held here and not in a field, which may unmount at any moment. What cannot be sent waits until
 * `connected` is called.
 */
export class TextKeeper {
  readonly #deps: TextKeeperDeps
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<() => void>()

  constructor(deps: TextKeeperDeps) {
    this.#deps = deps
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The same object until something changes. */
  view(key: TextKey): FieldView {
    return this.#entries.get(nameOf(key))?.view ?? QUIET
  }

  /** Whether some text exists only in this window. */
  hasUnkept(): boolean {
    return [...this.#entries.values()].some(({ unkeptSinceMs }) => unkeptSinceMs !== null)
  }

  /** `saved`: the saved text that the field shows or would show. */
  type(key: TextKey, words: string, saved: string): void {
    const entry = this.#entry(key)
    if (entry.view.words === null) entry.saved = saved
    entry.wantsSave = entry.wantsDiscard = false
    entry.unkeptSinceMs ??= this.#deps.monotonicMs()
    this.#show(entry, { words, saving: { kind: this.#deps.isConnected() ? 'typing' : 'unsent' } })
    const leftMs = entry.unkeptSinceMs + LONGEST_MS - this.#deps.monotonicMs()
    this.#later(entry, Math.max(0, Math.min(PAUSE_MS, leftMs)), () => this.#send(entry, 'draft'))
  }

  /** Saves the field's text; called when the person leaves the field. */
  save(key: TextKey): void {
    const entry = this.#entries.get(nameOf(key))
    if (entry === undefined || entry.view.words === null) return
    // These words are on their way: the field was saved and then left.
    if (entry.wantsSave && entry.view.saving.kind === 'saving') return
    // Unchanged: nothing to write, and no draft should remain.
    if (entry.view.words.trim() === entry.saved.trim()) return this.discard(key)
    entry.wantsSave = true
    this.#send(entry, 'save')
  }

  /** Called when the field unmounts: saves its text and drops the status of earlier ones. */
  leave(key: TextKey): void {
    const entry = this.#entries.get(nameOf(key))
    if (entry === undefined) return
    if (entry.view.words !== null) this.save(key)
    else if (!entry.wantsDiscard) this.#forget(entry)
  }

  /** Resolves once none of a job's texts is on its way, to whether all are saved. */
  saved(jobId: string): Promise<boolean> {
    return new Promise((resolve) => {
      const look = () => {
        const unsaved = [...this.#entries.values()].filter(
          ({ key, view }) => key.jobId === jobId && view.words !== null,
        )
        if (unsaved.some(({ view }) => view.saving.kind === 'saving')) return
        stop()
        resolve(unsaved.length === 0)
      }
      const stop = this.subscribe(look)
      look()
    })
  }

  /** Discards the text, here and in the journal. */
  discard(key: TextKey): void {
    const entry = this.#entry(key)
    entry.wantsSave = false
    entry.wantsDiscard = true
    entry.unkeptSinceMs = null
    this.#show(entry, { words: null, saving: { kind: 'discarding' } })
    this.#send(entry, 'discard')
  }

  /** Sends pending drafts at once: the window may be about to close. */
  flush(): void {
    for (const entry of this.#entries.values()) if (entry.unkeptSinceMs !== null) this.#send(entry, 'draft')
  }

  /** Called when the connection is back: sends what could not be sent. */
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
    const { words } = entry.view
    this.#noTimer(entry)
    if (words === null) return
    if (entry.kept === words) return this.#isKept(entry)
    entry.kept = undefined
    const answer = await this.#deps.draft({ ...entry.key, altText: words })
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
    this.#noTimer(entry)
    this.#show(entry, { saving: { kind: 'saving' } })
    const answer = await this.#deps.save({ ...entry.key, altText })
    if (!answer.ok) {
      if (entry.wantsSave) this.#failed(entry, answer.error)
      return
    }
    const { texts, sidecarWritten, why } = answer.value
    entry.saved = texts?.find(({ languageCode }) => languageCode === entry.key.languageCode)?.altText ?? altText
    entry.kept = null
    this.#deps.onAnswer(entry.key.jobId, answer.value)
    // Text typed while saving stays, as a draft.
    if (entry.view.words !== words) return this.#again(entry)
    entry.wantsSave = false
    entry.unkeptSinceMs = null
    this.#show(entry, { ...QUIET, saving: sidecarWritten ? { kind: 'saved' } : { kind: 'late', why } })
    if (sidecarWritten) this.#later(entry, SAVED_SHOWN_MS, () => this.#forget(entry))
  }

  async #sendDiscard(entry: Entry): Promise<void> {
    this.#noTimer(entry)
    const answer = await this.#deps.draft({ ...entry.key, altText: null })
    if (!entry.wantsDiscard) return
    if (!answer.ok) {
      this.#later(entry, RETRY_MS, () => this.#again(entry))
      return
    }
    this.#deps.onAnswer(entry.key.jobId, answer.value)
    this.#forget(entry)
  }

  /** Without a connection it waits for one; any other failure is shown, and retried as long as the text exists only here. */
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
      key,
      view: QUIET,
      saved: '',
      kept: undefined,
      unkeptSinceMs: null,
      wantsSave: false,
      wantsDiscard: false,
      cancelTimer: null,
    }
    this.#entries.set(name, entry)
    return entry
  }

  #forget(entry: Entry): void {
    this.#noTimer(entry)
    this.#entries.delete(nameOf(entry.key))
    this.#notify()
  }

  #show(entry: Entry, change: Partial<FieldView>): void {
    entry.view = { ...entry.view, ...change }
    this.#notify()
  }

  #later(entry: Entry, delayMs: number, callback: () => void): void {
    this.#noTimer(entry)
    entry.cancelTimer = this.#deps.setTimer(delayMs, callback)
  }

  #noTimer(entry: Entry): void {
    entry.cancelTimer?.()
    entry.cancelTimer = null
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const nameOf = ({ jobId, languageCode }: TextKey) => `${jobId}\n${languageCode}`
