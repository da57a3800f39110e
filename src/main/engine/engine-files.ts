import { stat } from 'node:fs/promises'
import { dirname, join, relative, basename, resolve } from 'node:path'
import type { EngineResponse } from '../../shared/contract/calls.ts'
import type { RestoreProblem } from '../../shared/contract/jobs.ts'
import { toAppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { ChildPort, Clock } from '../../shared/runtime/ports.ts'
import { outputName } from '../core/naming.ts'
import { editSidecarFile } from '../files/edit-sidecar.ts'
import { hashFile, measureFile } from '../files/hash-file.ts'
import { createImageWorker } from '../images/image-worker-client.ts'
import { createKeyedMutex } from '../core/keyed-mutex.ts'
import { exchangeFile, publishFile } from '../files/publish-file.ts'
import { renameOutput, settleRename } from '../files/rename-output.ts'
import { replaceOriginal } from '../files/replace-original.ts'
import { restoreOriginal, type RestoreOutcome } from '../files/restore-original.ts'
import { createSidecarIndex, findSidecar, writeSidecarFile } from '../files/sidecar-file.ts'
import { takeSnapshot } from '../files/snapshot.ts'
import { discardStaged, readStaged, stageFile, type StagedPart } from '../files/stage-file.ts'
import { sweepLeftovers } from '../files/sweep-leftovers.ts'
import { createUploadCopies } from '../images/upload-copies.ts'
import type { FilesPort } from '../queue/ports.ts'
import type { Sweeper } from '../queue/recovery.ts'

/** More than any result can be: uploads have at most 10 MB, and a larger result would not be kept. */
const MAX_RESULT_BYTES = 64 * 1_048_576

export interface EngineFiles extends FilesPort, Sweeper {
  close(): Promise<void>
}

/** Implements the queue's port with the disk and the image workers. */
export function createFiles({
  child,
  clock,
  imageWorkers = 2,
}: {
  child: ChildPort
  clock: Clock
  imageWorkers?: number
}): EngineFiles {
  const worker = createImageWorker({ child, clock, size: imageWorkers })
  const copyOf = createUploadCopies(worker)
  const sidecars = createSidecarIndex()
  const sidecarMutex = createKeyedMutex()
  /** The queue passes back the object that `stage` returned. */
  const staged = (file: { partPath: string }) => file as StagedPart
  return {
    imageWorkers,
    readSource: async (path, rootDir, maxBytes) => {
      const read = await takeSnapshot(path, rootDir, maxBytes)
      if (read.kind === 'outside') return { kind: 'ignored', why: 'it lies outside the folder' }
      if (read.kind === 'notRegular') return { kind: 'ignored', why: 'it is no regular file' }
      return read
    },
    inspect: async (bytes, signal, options) => {
      const seen = await worker.inspect(bytes, signal, options)
      if (!seen.ok) return { kind: 'refused', reason: seen.reason, detail: seen.detail }
      const { type, width, height, animated, frames, extras } = seen
      if (type === 'avif')
        return { kind: 'refused', reason: 'other_type', detail: say('is_format', { format: 'AVIF' }) }
      return { kind: 'image', type, width, height, animated, frames, extras }
    },
    encode: async (bytes, options, signal) => {
      const encoded = await worker.encode(bytes, options, signal)
      if (!encoded.ok) return { kind: 'refused', reason: encoded.reason, detail: encoded.detail }
      const { others = [], ...first } = encoded
      const files = [first, ...others].map(({ bytes: made, width, height, lost = [] }) => ({
        bytes: made,
        width,
        height,
        lost,
      }))
      return { kind: 'encoded', files }
    },
    applyMetadata: async (bytes, original, metadata, signal) => {
      const applied = await worker.applyMetadata(bytes, original, metadata, signal)
      if (!applied.ok) return { kind: 'refused', detail: applied.detail }
      if (applied.bytes === null) return { kind: 'unparsable' }
      const { bytes: made, lost, unchecked, extras } = applied
      return { kind: 'applied', bytes: made, lost, unchecked, extras }
    },
    chooseTexts: async (original, metadata, texts, signal) => {
      const answer = await worker.chooseTexts(original, metadata, texts, signal)
      return answer.ok ? { kind: 'chosen', texts: answer.chosen } : { kind: 'refused', detail: answer.detail }
    },
    writeTexts: async (bytes, texts, signal) => {
      const made = await worker.writeTexts(bytes, texts, signal)
      if (!made.ok) return { kind: 'refused', detail: made.detail }
      return made.bytes === null ? { kind: 'unparsable' } : { kind: 'written', bytes: made.bytes }
    },
    shrink: async (source, maxBytes, signal) => {
      const copy = await copyOf(source, maxBytes, signal)
      if (!copy.ok) return { kind: 'refused', reason: copy.reason, detail: copy.detail }
      return { kind: 'shrunk', bytes: copy.bytes, width: copy.width, height: copy.height }
    },
    place: placeOf,
    stage: ({ sourcePath, targetRoot, targetDir }, jobId, role, produce, width) => {
      const which = { rootDir: targetRoot, targetDir, jobId, role, ...(width === undefined ? {} : { width }) }
      return stageFile({ ...which, maxBytes: MAX_RESULT_BYTES, modeFrom: sourcePath }, produce)
    },
    readStaged: (file) => readStaged(staged(file)),
    discard: (file) => discardStaged(staged(file)),
    publish: ({ sourcePath, seoName }, _jobId, file, role, type, isOwn, onPlanned) =>
      publishFile({
        part: staged(file),
        names: (n) => {
          const ofWidth = file.width === undefined ? {} : { width: file.width }
          return outputName({ sourceName: basename(sourcePath), seoName, role, type, n, ...ofWidth })
        },
        isOwn,
        onPlanned,
      }),
    exchange: ({ sourcePath }, file, recorded, onPlanned) =>
      exchangeFile({ part: staged(file), name: basename(sourcePath), recorded, onPlanned }),
    replaceOriginal: ({ sourcePath }, file, { sha256 }, onPlanned) =>
      replaceOriginal({ path: sourcePath, part: staged(file), sha256, onPlanned }),
    rename: (file, names, onPlanned) => renameOutput(file, names, onPlanned),
    settleRename: (file, to) => settleRename(file, to),
    isFolder: (dir) =>
      stat(dir).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    hasHash: async (path, sha256) => (await hashFile(path)) === sha256,
    measure: measureFile,
    readSidecar: ({ targetRoot, targetDir }, sourceName) => findSidecar(targetDir, sourceName, targetRoot),
    writeSidecar: ({ sourcePath, targetRoot, targetDir }, jobId, make) =>
      sidecarMutex(join(targetDir, basename(sourcePath)), () =>
        writeSidecarFile({ rootDir: targetRoot, targetDir, jobId, sidecar: make(), modeFrom: sourcePath }),
      ),
    editSidecar: ({ sourcePath, targetRoot, targetDir }, jobId, sha256, make) => {
      const sourceName = basename(sourcePath)
      return sidecarMutex(join(targetDir, sourceName), () =>
        editSidecarFile({ rootDir: targetRoot, targetDir, jobId, sourceName, sha256, edit: make() }),
      )
    },
    listedOutputs: (dir, changedNs) => sidecars.outputsIn(dir, changedNs === undefined ? undefined : BigInt(changedNs)),
    sweep: async (jobs, isOurs, onError) => {
      const rootOf = new Map(
        jobs.map(({ source, rootDir, recipe }) => {
          const { targetDir, targetRoot } = placeOf(source.path, rootDir, recipe.output, null)
          return [targetDir, targetRoot]
        }),
      )
      for (const [dir, rootDir] of rootOf)
        await sweepLeftovers(dir, { rootDir, isLive: (jobId) => !isOurs(jobId) }).catch(onError)
    },
    close: () => worker.close(),
  }
}

const placeOf: FilesPort['place'] = (sourcePath, rootDir, policy, seoName) => {
  const sourceDir = dirname(sourcePath)
  if (policy.kind !== 'folder') return { sourcePath, targetRoot: rootDir, targetDir: sourceDir, seoName }
  const targetRoot = resolve(policy.dir)
  return { sourcePath, targetRoot, targetDir: join(targetRoot, relative(rootDir, sourceDir)), seoName }
}

const WHY_NOT_RESTORED: Record<
  Exclude<RestoreOutcome['kind'], 'restored'>,
  { problem: RestoreProblem; why: Sentence }
> = {
  nothingKept: { problem: 'nothing_kept', why: say('restore_nothing_kept') },
  alreadyOriginal: { problem: 'already_original', why: say('restore_already_original') },
  changedSince: {
    problem: 'changed_since',
    why: say('restore_changed_since'),
  },
}

/** Each path is tried even if others fail; nothing happens outside its `rootDir`. */
export async function restoreOriginals(
  files: readonly { path: string; rootDir: string }[],
  force: boolean,
): Promise<EngineResponse<'originals.restore'>> {
  const results: EngineResponse<'originals.restore'>['results'] = []
  for (const { path, rootDir } of files) {
    try {
      const { kind } = await restoreOriginal(path, { force, rootDir })
      const restored = kind === 'restored'
      results.push({ path, restored, ...(restored ? { problem: null, why: null } : WHY_NOT_RESTORED[kind]) })
    } catch (error) {
      const { code, sentence } = toAppError(error)
      const problem = code === 'disk_full' || code === 'not_writable' ? code : 'failed'
      results.push({ path, restored: false, problem, why: sentence })
    }
  }
  return { results }
}
