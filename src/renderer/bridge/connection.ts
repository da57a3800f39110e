import type { SignInRefusal } from '../../shared/ui-contract.ts'

/** Something the server would not take, with what it said. */
export interface RefusedUpload {
  name: string
  message: string
}

export interface UploadView {
  done: number
  total: number
  refused: readonly RefusedUpload[]
  isOver: boolean
  /** Ends it: the file under way is given up, those that arrived stay. */
  stop: () => void
}

/**
 * How the page stands with its shell. `lost`: it tries again by itself. `signedOut`: a person has to approve its code or open
 * a new link (`signInHelp`); `linkRefused` says that the one just opened was used before or is too old.
 */
export interface ConnectionView {
  state: 'connecting' | 'open' | 'lost' | 'signedOut'
  linkRefused: boolean
  signInHelp: SignInRefusal | null
  /** Files on their way to the inbox; the last one stays to be read until the next begins. */
  upload: UploadView | null
}

/** Shaped for `useSyncExternalStore`: `get` gives the same object until something changed. */
export class Connection {
  #view: ConnectionView = { state: 'connecting', linkRefused: false, signInHelp: null, upload: null }
  readonly #listeners = new Set<() => void>()

  readonly get = (): ConnectionView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  change(part: Partial<ConnectionView>): void {
    this.#view = { ...this.#view, ...part }
    for (const listener of this.#listeners) listener()
  }
}
