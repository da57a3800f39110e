import { basename, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Background } from '../../shared/runtime/background.ts'
import { Folder, type FolderView } from '../../shared/contract/folders.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { FolderBursts } from './folder-bursts.ts'
import { forgetExisting, leaveExisting, moveKnownFiles } from './folder-files.ts'
import { hashFile } from '../files/regular-file.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import type { IntakeDeps } from './run-intake.ts'
import { takeIn } from '../queue/intake.ts'
import { transact } from '../journal/journal.ts'
import {
  contentBefore,
  forgetGoneFile,
  isLeftAsItIs,
  knownFilesBelow,
  recordSameContent,
} from '../journal/known-files.ts'
import { movedPath, relocateJobs } from '../journal/relocate-jobs.ts'
import { folderFacts, type FolderState } from '../watch/folder-state.ts'
import type { StableFile } from '../watch/watched-tree.ts'
import { watched } from '../watch/watch-places.ts'
import { WatcherSet } from '../watch/watcher-set.ts'

/** A folder whose jobs do not all point to its new path yet: those up to `afterId` do. */
const FolderMove = z.object({ from: z.string(), to: z.string(), afterId: z.string() })
const FOLDER_MOVE = 'folder-move'

interface FoldersDeps extends IntakeDeps {
  background: Background
  onState: (id: string, state: FolderState) => void
  onChange: () => void
  /** Jobs now point to other files. */
  onMoved: () => void
  /** A burst has stopped growing: the spend guard can decide about it. */
  onBurstEnd: () => void
}

type FolderChanges = Partial<Omit<Folder, 'id' | 'path' | 'addedAtMs'>>

/** The watched folders: stored in the journal, watched by `watch/`, their files taken in by their recipes. */
export class Folders {
  readonly #deps: FoldersDeps
  readonly #set: WatcherSet
  readonly #bursts: FolderBursts
  #stopped = false
  /** False in an engine that only changes what is stored: a later watch goes on with it. */
  #watches = false
  /** Changes of a folder, one after another. */
  readonly #changes = createKeyedMutex()
  /** One folder is located at a time, since folders can lie in each other. */
  readonly #moves = createKeyedMutex()

  constructor(deps: FoldersDeps) {
    this.#deps = deps
    const { clock, random, log, db } = deps.context
    this.#set = new WatcherSet({
      clock,
      random,
      logger: log,
      own: deps.own,
      background: deps.background,
      seen: { load: (rootDir) => knownFilesBelow(db, rootDir) },
      onStable: (file) => this.#takeIn(file),
      onGone: (path) => forgetGoneFile(db, path),
      onState: (id, state) => deps.onState(id, state),
    })
    this.#bursts = new FolderBursts({
      db,
      clock,
      background: deps.background,
      makeId: deps.makeId,
      askAbove: deps.context.askAbove,
      arrivals: (id) => this.#set.arrivals(id),
      onEnd: () => deps.onBurstEnd(),
    })
  }

  /** Watches every stored folder; the state of one that cannot be watched gives the reason. */
  async startAll(): Promise<void> {
    this.#watches = true
    for (const { key } of this.#deps.documents.list(FOLDER_MOVE, FolderMove)) await this.#moveJobs(key)
    await this.#set.addStored(this.list().map(watched))
  }

  list(): Folder[] {
    return this.#deps.documents.list('folder', Folder).map(({ value }) => value)
  }

  get(id: string): Folder {
    const folder = this.#deps.documents.get('folder', id, Folder)
    if (folder === null) throw new AppError('not_found', say('folder_not_watched'))
    return folder
  }

  views(): FolderView[] {
    return this.list().map((folder) => {
      const facts = folderFacts(this.#set.state(folder.id))
      return { ...folder, ...facts, counts: this.#deps.context.store.count({ folderId: folder.id }) }
    })
  }

  /** Throws `bad_request` for a folder that is watched already and for invalid globs; nothing has changed then. */
  async add(given: Omit<Folder, 'id' | 'addedAtMs'>, existing: 'take' | 'leave'): Promise<Folder> {
    const { makeId, documents, context, own } = this.#deps
    const folder: Folder = { ...given, path: resolve(given.path), id: makeId(), addedAtMs: context.clock.nowMs() }
    // Nothing may be taken in before the files to leave are known.
    await this.#set.add(watched({ ...folder, paused: true }))
    try {
      if (existing === 'leave') await leaveExisting(context.db, folder, own(), this.list())
      else forgetExisting(context.db, folder, this.list(), 'left')
      documents.put('folder', folder.id, folder)
    } catch (error) {
      await this.#set.remove(folder.id)
      throw error
    }
    if (this.#watches) await this.#set.update(watched(folder))
    else await this.#set.remove(folder.id)
    this.#deps.onChange()
    return folder
  }

  /**
   * Watches a folder at its new path after a person moved it, with its jobs, known files, and watched folders inside it. Throws `not_found`
   * and what `add` throws, and then continues to watch the old path.
   */
  locate(id: string, path: string): Promise<void> {
    return this.#moves('', async () => {
      // Before the folder around them, which would take in their pictures.
      for (const inner of await this.#movedAlong(id, resolve(path)))
        await this.#changes(inner.id, () => this.#locate(inner.id, inner.to))
      await this.#changes(id, () => this.#locate(id, path))
    })
  }

  /** Watched folders inside a moved one that are no longer where they were, and are where they would be now; the innermost first. */
  async #movedAlong(id: string, to: string): Promise<{ id: string; to: string }[]> {
    const { files } = this.#deps.context
    const from = this.get(id).path
    const moved: { id: string; to: string }[] = []
    for (const inner of this.list()) {
      const there = movedPath(inner.path, from, to)
      if (inner.id === id || there === inner.path) continue
      if (!(await files.isFolder(inner.path)) && (await files.isFolder(there))) moved.push({ id: inner.id, to: there })
    }
    return moved.sort((a, b) => b.to.length - a.to.length)
  }

  async #locate(id: string, path: string): Promise<void> {
    const { documents, context, own, onChange } = this.#deps
    await this.#moveJobs(id)
    const before = this.get(id)
    const [from, to] = [before.path, resolve(path)]
    if (from === to) return
    const { output } = before.recipe
    const isBelow = output.kind === 'folder'
    const recipe = isBelow
      ? { ...before.recipe, output: { ...output, dir: movedPath(output.dir, from, to) } }
      : before.recipe
    const folder: Folder = { ...before, path: to, recipe }
    await this.#set.update(watched({ ...folder, paused: true }))
    try {
      await moveKnownFiles(context.db, from, folder, own(), () => {
        documents.put('folder', id, folder)
        documents.put(FOLDER_MOVE, id, { from, to, afterId: '' })
      })
    } catch (error) {
      await this.#set.update(watched(before))
      throw error
    }
    await this.#moveJobs(id)
    await this.#set.update(watched(folder))
    onChange()
    this.#deps.onMoved()
  }

  /** Points the jobs of a moved folder to where their files are now; continues where it was when Hangar ended. */
  async #moveJobs(id: string): Promise<void> {
    const { documents, context } = this.#deps
    const move = documents.get(FOLDER_MOVE, id, FolderMove)
    if (move === null) return
    const { from, to } = move
    for (let afterId: string | null = move.afterId; afterId !== null; await setImmediate())
      afterId = relocateJobs(context.db, { folderId: id, afterId }, from, to, (lastId) => {
        if (lastId === null) documents.remove(FOLDER_MOVE, id)
        else documents.put(FOLDER_MOVE, id, { from, to, afterId: lastId })
      })
    context.store.readAgain()
  }

  /** A new recipe applies to new files only, unless existing ones are to be processed again. */
  update(id: string, changes: FolderChanges, reprocess: boolean): Promise<void> {
    return this.#changes(id, () => this.#update(id, changes, reprocess))
  }

  async #update(id: string, changes: FolderChanges, reprocess: boolean): Promise<void> {
    const { documents, context } = this.#deps
    const before = this.get(id)
    const folder = { ...before, ...changes }
    const isWatched = this.#set.has(id)
    // Nothing may be taken in by the earlier recipe meanwhile.
    if (isWatched) await this.#set.update(watched({ ...folder, paused: reprocess || folder.paused }))
    try {
      const others = this.list().filter((other) => other.id !== id)
      if (reprocess) forgetExisting(context.db, folder, others, 'all')
      documents.put('folder', id, folder)
    } catch (error) {
      if (isWatched) await this.#set.update(watched(before))
      throw error
    }
    this.#deps.onChange()
    if (reprocess) await this.#restart(id)
  }

  /** Stops watching; files and jobs stay as they are. */
  remove(id: string): Promise<void> {
    return this.#changes(id, async () => {
      const { documents, context, onChange } = this.#deps
      const folder = this.get(id)
      const isWatched = this.#set.has(id)
      if (isWatched) await this.#set.remove(id)
      try {
        transact(context.db, () => {
          documents.put('removed-folder', id, folder)
          documents.remove('folder', id)
        })
      } catch (error) {
        if (isWatched) await this.#set.addStored([watched(folder)])
        throw error
      }
      onChange()
    })
  }

  /** Watches a removed folder again as before. Throws `not_found`, and what `add` throws; nothing has changed then. */
  putBack(id: string): Promise<void> {
    return this.#changes(id, async () => {
      const { documents, context, onChange } = this.#deps
      const folder = documents.get('removed-folder', id, Folder)
      if (folder === null) throw new AppError('not_found', say('folder_not_removed'))
      await this.#set.add(watched(folder))
      try {
        transact(context.db, () => {
          documents.put('folder', id, folder)
          documents.remove('removed-folder', id)
        })
      } catch (error) {
        await this.#set.remove(id)
        throw error
      }
      onChange()
    })
  }

  /** Reloads the folder's known files from the journal, and scans the folder. */
  restart(id: string): Promise<void> {
    return this.#changes(id, () => this.#restart(id))
  }

  async #restart(id: string): Promise<void> {
    if (!this.#set.has(id)) return
    await this.#set.remove(id)
    await this.#set.addStored([watched(this.get(id))])
  }

  async reconcile(id: string | null): Promise<void> {
    const ids = id === null ? this.list().map((folder) => folder.id) : [this.get(id).id]
    await Promise.all(ids.map((one) => this.#set.reconcile(one)))
  }

  resumed(): void {
    this.#set.resumed()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#set.stop()
    this.#bursts.stop()
  }

  async #takeIn(file: StableFile): Promise<'taken' | 'again'> {
    if (this.#stopped) return 'taken'
    const { context, makeId, serviceId } = this.#deps
    if (isLeftAsItIs(context.db, file)) return 'taken'
    const before = contentBefore(context.db, file)
    if (before !== null && (await hashFile(file.path)) === before) {
      recordSameContent(context.db, file)
      return 'taken'
    }
    const { recipe } = this.get(file.folderId)
    const outcome = await takeIn(context, makeId, {
      path: file.path,
      rootDir: file.rootDir,
      folderId: file.folderId,
      batchId: this.#bursts.batchFor(file.folderId),
      recipe,
      serviceId: serviceId(),
      force: false,
      mayBeUnfinished: !file.finalTry,
    })
    if (outcome.kind === 'again') context.log.debug('a picture is not whole yet', { name: basename(file.path) })
    return outcome.kind === 'again' ? 'again' : 'taken'
  }
}
