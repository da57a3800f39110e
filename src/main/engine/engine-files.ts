import { stat } from 'node:fs/promises'
import { dirname, join, relative, basename, resolve } from 'node:path'
import type { RestoreProblem } from '../../shared/contract/jobs.ts'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { errorCode } from '../../shared/runtime/error-code.ts'
import type { ChildPort, Clock } from '../../shared/runtime/ports.ts'
import { PICTURE_SUFFIXES } from '../../shared/jobs/picture-name.ts'
import { isTemplate, namesUse } from '../../shared/recipes/name-template.ts'
import { collisionKey } from '../core/naming.ts'
import { resultFolders, resultName, type NameFacts } from '../core/result-name.ts'
import { toDiskError } from '../files/disk-error.ts'
import { openFolder } from '../files/folder-handle.ts'
import { isSentConverted } from '../core/plan-work.ts'
import { MAX_SOURCE_BYTES } from '../../shared/recipes/recipe.ts'
import { sniffImageType } from '../images/image-type.ts'
import { sweepLeftovers, tagOf } from '../files/leftovers.ts'
import { editSidecarFile, findSidecars, sidecarOf, writeSidecarFile } from '../files/sidecar-file.ts'
import { hashFile, measureFile } from '../files/regular-file.ts'
import { createImageWorker } from '../images/image-worker-client.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import { nameRoomOf } from '../files/name-room.ts'
import { exchangeFile, finishRename, publishFile, renameOutput } from '../files/publish-file.ts'
import { describeLoss, whyNotReplaceable } from '../files/may-replace.ts'
import { isReallyInside } from '../files/real-path.ts'
import { replaceOriginal } from '../files/replace-original.ts'
import { isRespelled, sidecarsBefore } from '../files/respelled-picture.ts'
import { resultFolder } from '../files/result-folder.ts'
import { restoreOriginal } from '../files/restore-original.ts'
import { createSidecarIndex } from '../files/sidecar-index.ts'
import { SetAside } from '../files/set-aside.ts'
import { takeSnapshot } from '../files/snapshot.ts'
import { discardStaged, readStaged, stageFile, type StagedPart } from '../files/stage-file.ts'
import { createUploadCopies } from '../images/upload-copies.ts'
import type { FilesPort, Placement } from '../queue/ports.ts'
import type { Sweeper } from '../queue/recovery.ts'

/** More than any result can be: uploads have at most 10 MB, and a larger result would not be kept. */
const MAX_RESULT_BYTES = 64 * 1_048_576

export interface EngineFiles extends FilesPort, Sweeper {
  close(): Promise<void>
}

/** Implements the queue's port with the disk and the image workers. */
// oxlint-disable-next-line max-lines-per-function -- the port, method by method, over what they share
export function createFiles({
  dataDir,
  child,
  clock,
  imageWorkers = 2,
  replacer = () => 'nobody',
}: {
  dataDir: string
  child: ChildPort
  clock: Clock
  imageWorkers?: number
  /** An id of the data folder, for those who replace originals. */
  replacer?: () => string
}): EngineFiles {
  const setAside = new SetAside(dataDir)
  const pictures = createImageWorker({ child, clock, size: imageWorkers })
  const copyOf = createUploadCopies(pictures)
  const sidecars = createSidecarIndex()
  const sidecarMutex = createKeyedMutex()
  const folderMutex = createKeyedMutex()
  const before = (place: Placement, sha256: string) => ({
    sha256,
    names: () => sidecarsBefore(sidecars, place, sha256),
  })
  /** The queue passes back the object that `stage` returned. */
  const staged = (file: { partPath: string }) => file as StagedPart
  return {
    imageWorkers,
    readSource: (path, rootDir, maxBytes) =>
      takeSnapshot(path, rootDir, (head) => {
        const type = sniffImageType(head)
        return type !== null && isSentConverted(type) ? MAX_SOURCE_BYTES : maxBytes
      }),
    pictures,
    shrink: copyOf,
    setAside: async (jobId, served, type) => {
      await setAside.keep(jobId, served, PICTURE_SUFFIXES[type][0])
    },
    place: placeOf,
    resultDir: dirOf,
    whyNoFolder: ({ targetRoot, targetDir }, dir) => whyNoFolder(targetRoot, targetDir, dir),
    stage: async (place, jobId, role, produce, width) => {
      // One at a time, so that two pictures at once make no two folders that differ in case.
      const targetDir = await folderMutex(place.targetDir, async () => {
        const dir = await dirOf(place, { role: role as 'optimized', ...(width === undefined ? {} : { width }) })
        const { rootDir, ...existing } = foldersOf(place)
        if (dir !== place.targetDir) await openFolder(rootDir, dir, { make: true, ...existing })
        return dir
      }).catch((error: unknown) => {
        throw toDiskError(error, place.targetDir)
      })
      const which = { ...foldersOf(place), targetDir, jobId, role, ...(width === undefined ? {} : { width }) }
      return stageFile({ ...which, ...accessOf(place), maxBytes: MAX_RESULT_BYTES }, produce)
    },
    readStaged: (file) => readStaged(staged(file)),
    discard: (file) => discardStaged(staged(file)),
    publish: ({ names }, file, role, type, isOwn, onPlanned) =>
      publishFile({
        part: staged(file),
        names: (n, room) => {
          const ofWidth = file.width === undefined ? {} : { width: file.width }
          return resultName(namesOf(names), { role, type, n, room, ...ofWidth })
        },
        isOwn,
        onPlanned,
      }),
    exchange: ({ sourcePath }, file, recorded, onPlanned) =>
      exchangeFile({ part: staged(file), name: basename(sourcePath), recorded, onPlanned }),
    whyNotReplaceable: ({ sourcePath, targetRoot }, jobId) =>
      whyNotReplaceable({ path: sourcePath, rootDir: targetRoot, jobId, replacer: replacer() }),
    replaceOriginal: async ({ sourcePath }, file, { sha256 }, onPlanned) => {
      const request = { path: sourcePath, part: staged(file), sha256, onPlanned, replacer: replacer() }
      const outcome = await folderMutex(dirname(sourcePath), () => replaceOriginal(request))
      return typeof outcome === 'string' ? outcome : { refused: describeLoss(outcome.loser, basename(sourcePath)) }
    },
    rename: (file, names, onPlanned) => renameOutput(file, names, onPlanned),
    finishRename: (file, to) => finishRename(file, to),
    isRespelled,
    isFolder: (dir) =>
      stat(dir).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    hasHash: async (path, sha256) => (await hashFile(path)) === sha256,
    measure: async (path, rootDir) =>
      rootDir === undefined || (await isReallyInside(rootDir, path)) ? measureFile(path) : null,
    nameRoom: ({ targetDir }) => nameRoomOf(targetDir),
    readSidecar: async (place, sha256, isEarlier = () => false) => {
      const { sourcePath, targetRoot, targetDir } = place
      const found = await findSidecars(targetDir, basename(sourcePath), targetRoot, before(place, sha256))
      return sidecarOf(found, sha256) ?? found.find(({ path }) => isEarlier(path)) ?? null
    },
    writeSidecar: (place, jobId, make, isEarlier) => {
      const { targetDir } = place
      return sidecarMutex(mutexKey(place), () => {
        const sidecar = make()
        const what = { sidecar, isEarlier, before: before(place, sidecar.source.sha256), ...accessOf(place) }
        return writeSidecarFile({ ...foldersOf(place), targetDir, jobId, ...what })
      })
    },
    editSidecar: (place, jobId, sha256, make) => {
      const { sourcePath, targetRoot, targetDir } = place
      const which = { sourceName: basename(sourcePath), sha256, before: before(place, sha256) }
      return sidecarMutex(mutexKey(place), () =>
        editSidecarFile({ rootDir: targetRoot, targetDir, jobId, ...which, edit: make() }),
      )
    },
    listedOutputs: (dir, changedNs) => sidecars.outputsIn(dir, changedNs === undefined ? undefined : BigInt(changedNs)),
    sweep: async (folders, ownIds, onError) => {
      let own: ReadonlySet<string> | null = null
      const isLive = (tag: string) => !(own ??= new Set(ownIds().map(tagOf))).has(tag)
      for (const { dir, rootDir } of folders) await sweepLeftovers(dir, { rootDir, isLive }).catch(onError)
    },
    close: () => pictures.close(),
  }
}

/** One for all spellings of a name: they may have one sidecar. */
const mutexKey = ({ sourcePath, targetDir }: Placement) => `${targetDir}\0${collisionKey(basename(sourcePath))}`

/** Results beside an original never make its folder again. */
const foldersOf = ({ sourcePath, targetRoot, targetDir }: Placement) => ({
  rootDir: targetRoot,
  ...(dirname(sourcePath) === targetDir ? { existing: targetDir } : {}),
})

const accessOf = ({ sourcePath, source }: Placement) => ({
  accessFrom: sourcePath,
  ...(source === undefined ? {} : { accessIf: source }),
})

const placeOf: FilesPort['place'] = (sourcePath, rootDir, policy, names) => {
  const sourceDir = dirname(sourcePath)
  if (policy.kind !== 'folder') return { sourcePath, targetRoot: rootDir, targetDir: sourceDir, names }
  const targetRoot = resolve(policy.dir)
  return { sourcePath, targetRoot, targetDir: join(targetRoot, relative(rootDir, sourceDir)), names }
}

const dirOf: FilesPort['resultDir'] = async ({ targetDir, names }, result) => {
  if (names === null || !isTemplate(names.naming)) return targetDir
  const folders = resultFolders(names, result, await nameRoomOf(targetDir))
  // What is known beforehand is refused before anything is paid for.
  return resultFolder(targetDir, folders, namesUse(names.naming, 'seo', 'folders'))
}

/** Looks at the deepest folder that is there. */
async function whyNoFolder(rootDir: string, targetDir: string, dir: string): Promise<Sentence | null> {
  if (dir === targetDir) return null
  try {
    await openFolder(rootDir, dir)
    return null
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return whyNoFolder(rootDir, targetDir, dirname(dir))
    return toDiskError(error, dir).sentence
  }
}

function namesOf(names: NameFacts | null): NameFacts {
  if (names === null) throw new AppError('internal', raw('a result without a name'))
  return names
}

const WHY_NOT_RESTORED = {
  nothing_kept: say('restore_nothing_kept'),
  already_original: say('restore_already_original'),
  changed_since: say('restore_changed_since'),
}

/** `problem` and `why` are null for what was restored. */
interface Restored {
  restored: boolean
  problem: RestoreProblem | null
  why: Sentence | null
}

/** Brings a kept original back; nothing happens outside `rootDir`. Never throws. */
export async function tryRestore(path: string, rootDir: string, force: boolean): Promise<Restored> {
  try {
    const { kind } = await restoreOriginal(path, { force, rootDir })
    if (kind === 'restored') return { restored: true, problem: null, why: null }
    return { restored: false, problem: kind, why: WHY_NOT_RESTORED[kind] }
  } catch (error) {
    const { code, sentence } = toAppError(error)
    const problem = code === 'disk_full' || code === 'not_writable' ? code : 'failed'
    return { restored: false, problem, why: sentence }
  }
}
