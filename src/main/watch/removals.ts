import type { Clock } from '../../shared/runtime/ports.ts'
import { sampleFile } from './file-sample.ts'
import type { KnownFiles } from './known-files.ts'
import type { Settle } from './settle.ts'
import type { WatchTiming } from './watch-timing.ts'

/** More removals at once than this are left to a scan. */
const REMOVALS_ONE_BY_ONE = 20_000

/** The files of a watched folder to check removals against. Paths are relative to the root. */
interface WatchedFiles {
  root: { realRoot: string }
  known: KnownFiles
  settle: Settle
}

interface RemovalDeps {
  clock: Clock
  timing: Pick<WatchTiming, 'removalDelayMs' | 'missingRetryMs'>
  /** Runs a check in the background; a failure of it is logged there. */
  run(check: () => Promise<void>): void
  /** Null once the tree has ended. */
  files(): WatchedFiles | null
  /** Handles missing files, knowing that the root may be unmounted as well. If it throws, they are checked again. */
  report(gone: readonly string[]): Promise<void>
  /** Too many to check one by one. */
  scan(): void
}

/** Checks removal hints together a little later: an unmounted drive looks as if every file was removed. */
export class Removals {
  readonly #deps: RemovalDeps
  #noted = new Set<string>()
  #cancelTimer: (() => void) | null = null

  constructor(deps: RemovalDeps) {
    this.#deps = deps
  }

  note(relativePath: string): void {
    this.#noted.add(relativePath)
    this.#checkIn(this.#deps.timing.removalDelayMs)
  }

  /** Drops pending hints. */
  clear(): void {
    this.#noted.clear()
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #checkIn(delayMs: number): void {
    this.#cancelTimer ??= this.#deps.clock.setTimer(delayMs, () => {
      this.#cancelTimer = null
      this.#deps.run(() => this.#check())
    })
  }

  async #check(): Promise<void> {
    const files = this.#deps.files()
    if (files === null) return
    const noted = this.#noted
    this.#noted = new Set()
    if (noted.size > REMOVALS_ONE_BY_ONE) return this.#deps.scan()
    try {
      await this.#deps.report(await goneOf(noted, files))
    } catch (error) {
      if (this.#deps.files() === files) {
        for (const path of noted) this.#noted.add(path)
        this.#checkIn(this.#deps.timing.missingRetryMs)
      }
      throw error
    }
  }
}

/** The known files at and below the paths that no longer exist. */
async function goneOf(paths: ReadonlySet<string>, { root, known, settle }: WatchedFiles): Promise<string[]> {
  const named = new Set<string>()
  const others = new Set<string>()
  for (const path of paths) (known.has(path) || settle.has(path) ? named : others).add(path)
  // They may have been folders.
  if (others.size > 0) for (const inside of known.below(others)) named.add(inside)
  const gone: string[] = []
  for (const path of named) if ((await sampleFile(`${root.realRoot}/${path}`)) === 'gone') gone.push(path)
  return gone
}
