import { isAbsolute, resolve } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import type { FolderReason } from '../../shared/sentences/folder-reason.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { coalesce } from './coalesce.ts'
import type { Arrivals, FolderState } from './folder-state.ts'
import { FolderWatcher, type WatchDeps } from './folder-watcher.ts'
import type { ChosenType } from '../../shared/recipes/recipe.ts'
import { createPathFilter, typesLeftOut, type FilterOptions } from './path-filter.ts'
import type { OwnPlaces } from './own-places.ts'
import { isInside } from '../files/real-path.ts'
import { relativeTo } from './real-path.ts'
import { linksLast, placeOf, whyNotBeside, whyUnusable, type PlacedFolder, type WatchPlace } from './watch-places.ts'

/** One watched folder as a person configured it. What is done with its pictures is up to the owner. */
export interface WatchedFolder extends PlacedFolder {
  id: string
  alsoTakes: readonly ChosenType[]
  paused: boolean
}

interface WatcherSetDeps extends WatchDeps {
  own: () => OwnPlaces
}

interface Watched {
  folder: WatchedFolder
  place: WatchPlace
  /** Why its settings make it unwatchable, independent of the others. */
  unusable: FolderReason | null
  watcher: FolderWatcher | null
}

/** A file belongs to the innermost watched folder around it; output folders belong to none. Changes are serialised, without their scans. */
export class WatcherSet {
  readonly #deps: WatcherSetDeps
  readonly #watched = new Map<string, Watched>()
  #queue: Promise<unknown> = Promise.resolve()
  /** Where the output folders are now; looked at once for all folders that are scanned at the same time. */
  readonly #lookAtOutputs = coalesce(async () => {
    for (const { folder, place } of this.#watched.values())
      if (folder.outputDir !== null) place.realOutput = (await placeOf(folder)).realOutput
  })
  #stopped = false

  constructor(deps: WatcherSetDeps) {
    this.#deps = deps
  }

  /** Throws `bad_request` for a folder already watched, unusable globs, or an output folder that would leave nothing to watch. */
  add(folder: WatchedFolder): Promise<void> {
    return this.#serial(async () => {
      if (this.#watched.has(folder.id)) throw new AppError('bad_request', say('folder_known'))
      const watched = await this.#check(folder)
      this.#watched.set(folder.id, watched)
      this.#applyFilters()
      this.#run(watched)
    })
  }

  /** After a start. One that cannot be watched now is refused with its reason; each scan checks again whether it can be. */
  addStored(folders: readonly WatchedFolder[]): Promise<void> {
    return this.#serial(async () => {
      const added: Watched[] = []
      for (const folder of folders.filter(({ id }) => !this.#watched.has(id))) {
        const watched = { folder, place: await placeOf(folder), unusable: whyUnusable(folder), watcher: null }
        this.#watched.set(folder.id, watched)
        added.push(watched)
      }
      for (const watched of linksLast(added))
        watched.place.isTaken = watched.unusable === null && this.#whyNotBeside(watched) === null
      this.#applyFilters()
      for (const watched of added) this.#run(watched)
    })
  }

  /** Replaces everything but the id. Throws as `add`, and then changes nothing. Once it is paused, nothing of the folder runs any more. */
  update(folder: WatchedFolder): Promise<void> {
    return this.#serial(async () => {
      const before = this.#get(folder.id)
      const isInPlace = folder.rootDir === before.folder.rootDir && folder.outputDir === before.folder.outputDir
      // A refused folder may still be paused or given other patterns.
      const watched = isInPlace ? { ...usable(folder), place: before.place } : await this.#check(folder)
      if (folder.rootDir === before.folder.rootDir && watched.place.realRoot === before.place.realRoot)
        watched.watcher = before.watcher
      else await before.watcher?.stop()
      this.#watched.set(folder.id, watched)
      this.#applyFilters()
      if (folder.paused) await this.#halt(watched)
      else this.#run(watched)
      this.#retryRefused()
    })
  }

  remove(id: string): Promise<void> {
    return this.#serial(async () => {
      const watched = this.#get(id)
      this.#watched.delete(id)
      await watched.watcher?.stop()
      this.#applyFilters()
      this.#retryRefused()
    })
  }

  has(id: string): boolean {
    return this.#watched.has(id)
  }

  /** Scans one folder now and resolves afterwards. A paused folder is not scanned. */
  async reconcile(id: string): Promise<void> {
    await this.#get(id).watcher?.reconcile()
  }

  /** The computer woke up: rescans every folder. */
  resumed(): void {
    for (const watched of this.#watched.values()) this.#runPass(watched, () => watched.watcher?.reconcile())
  }

  /** Paused once it is no longer watched: jobs still change while it is removed, or Hangar stops. */
  state(id: string): FolderState {
    const watched = this.#watched.get(id)
    if (watched === undefined) return PAUSED
    const { watcher, folder, unusable } = watched
    return watcher?.state ?? (folder.paused || unusable === null ? PAUSED : refused(unusable))
  }

  /** What may still arrive from a folder; nothing if it is no longer watched. */
  arrivals(id: string): Arrivals {
    const watcher = this.#watched.get(id)?.watcher
    return { files: watcher?.arriving ?? 0, phase: watcher?.state.phase ?? 'paused' }
  }

  /** Resolves when nothing runs any more. Later changes are refused with `aborted`. */
  stop(): Promise<void> {
    const stopped = this.#serial(async () => {
      await Promise.all([...this.#watched.values()].map(async (watched) => watched.watcher?.stop()))
      this.#watched.clear()
    })
    this.#stopped = true
    return stopped
  }

  #serial<T>(change: () => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(new AppError('aborted', say('hangar_stopping')))
    const result = this.#queue.then(change)
    this.#queue = result.catch(() => undefined)
    return result
  }

  #get(id: string): Watched {
    const watched = this.#watched.get(id)
    if (watched === undefined) throw new AppError('not_found', say('folder_not_watched'))
    return watched
  }

  #run(watched: Watched): void {
    if (watched.folder.paused) {
      this.#deps.onState(watched.folder.id, PAUSED)
    } else if (watched.unusable !== null) {
      this.#deps.onState(watched.folder.id, refused(watched.unusable))
    } else if (watched.watcher === null) {
      const { id, rootDir } = watched.folder
      const takePlace = (realRoot: string) => this.#takePlace(id, realRoot)
      watched.watcher = new FolderWatcher({ id, rootDir, filter: this.#filterOf(watched), takePlace }, this.#deps)
      const { watcher } = watched
      this.#runPass(watched, () => watcher.start())
    }
  }

  async #halt(watched: Watched): Promise<void> {
    const { watcher } = watched
    watched.watcher = null
    await watcher?.stop()
    this.#deps.onState(watched.folder.id, PAUSED)
  }

  async #check(given: WatchedFolder): Promise<Watched> {
    const folder = { ...given, rootDir: resolve(given.rootDir) }
    if (!isAbsolute(given.rootDir)) throw new AppError('bad_request', say('folder_path_relative'))
    const watched: Watched = { ...usable(folder), place: await placeOf(folder) }
    const others = this.#placesBeside(watched)
    const refusal = this.#whyNotBeside(watched)
    if (refusal?.code === 'own_folder') throw new AppError('bad_request', say('folder_own'))
    if (refusal?.code === 'in_library') {
      const library = String(refusal.values.library)
      throw new AppError('bad_request', say('path_in_library', { path: given.rootDir, library }))
    }
    if (refusal?.code === 'same_folder') throw new AppError('bad_request', say('folder_known'))
    const { realOutput } = watched.place
    if (refusal !== null || others.some(({ realRoot }) => realOutput !== null && isInside(realOutput, realRoot)))
      throw new AppError('bad_request', say('folder_hidden'))
    watched.place.isTaken = true
    return watched
  }

  #whyNotBeside(watched: Watched): FolderReason | null {
    return whyNotBeside(watched.place, this.#placesBeside(watched), this.#deps.own())
  }

  #placesBeside({ folder }: Watched): WatchPlace[] {
    return [...this.#watched.values()].filter((other) => other.folder.id !== folder.id).map(({ place }) => place)
  }

  /** Called at each scan of a folder, which may have become a link to elsewhere: why it cannot be watched there. */
  async #takePlace(id: string, realRoot: string): Promise<FolderReason | null> {
    await this.#lookAtOutputs()
    const watched = this.#watched.get(id)
    if (watched === undefined) return null
    const { isTaken: wasTaken, realRoot: realBefore } = watched.place
    watched.place.realRoot = realRoot
    const refusal = this.#whyNotBeside(watched)
    watched.place.isTaken = refusal === null
    if (wasTaken !== watched.place.isTaken || realBefore !== realRoot) this.#applyFilters()
    return refusal
  }

  /** Retries refused folders: the one that blocked them may be gone. */
  #retryRefused(): void {
    for (const watched of this.#watched.values())
      if (watched.watcher?.state.phase === 'refused') this.#runPass(watched, () => watched.watcher?.reconcile())
  }

  /** Recomputes which folder owns what, which any change of the set may alter. */
  #applyFilters(): void {
    for (const watched of this.#watched.values())
      this.#runPass(watched, () => watched.watcher?.setFilter(this.#filterOf(watched)))
  }

  #runPass(watched: Watched, pass: () => unknown): void {
    this.#deps.background.run('folder_scan', pass, watched.folder.id)
  }

  #filterOf(watched: Watched): FilterOptions {
    const { dataDir } = this.#deps.own()
    const ownDir = dataDir === null ? null : relativeTo(watched.place.realRoot, dataDir)
    const leftOut = ownDir === null ? [] : [ownDir]
    for (const other of this.#watched.values()) {
      const { realRoot, realOutput, isTaken } = other.place
      for (const dir of [isTaken ? realRoot : null, realOutput]) {
        const relative = dir === null ? null : relativeTo(watched.place.realRoot, dir)
        if (relative !== null) leftOut.push(relative)
      }
    }
    const { include, exclude, alsoTakes } = watched.folder
    return { include, exclude, leftOut, withoutTypes: typesLeftOut(alsoTakes) }
  }
}

const PAUSED: FolderState = { phase: 'paused', because: null, lastScan: null }

const refused = (because: FolderReason): FolderState => ({ phase: 'refused', because, lastScan: null })

/** Throws `bad_request` for unusable globs. */
function usable(folder: WatchedFolder): Omit<Watched, 'place'> {
  createPathFilter({ include: folder.include, exclude: folder.exclude, leftOut: [] })
  return { folder, unusable: null, watcher: null }
}
