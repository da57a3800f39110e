import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../src/shared/sentences/errors.ts'
import { mergeSidecar, withEdit } from '../../src/main/files/merge-sidecar.ts'
import type { AnswerTo, PicturePort } from '../../src/main/core/picture-tasks.ts'
import type { NameFacts } from '../../src/main/core/result-name.ts'
import type { SourceRead } from '../../src/main/core/source-read.ts'
import type { Sidecar, SidecarEdit } from '../../src/shared/jobs/sidecar.ts'
import type { ListedOutputs, StagedFile } from '../../src/main/core/published-output.ts'
import type { FilesPort, Placement } from '../../src/main/queue/ports.ts'
import { raw } from '../../src/shared/sentences/sentence.ts'

export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** "Pictures" are texts: `jpeg:anything` is a whole JPEG, `cut:` is one that ends too early. */
export const picture = (type: 'jpeg' | 'png' | 'gif' | 'webp', content: string) => Buffer.from(`${type}:${content}`)

const notSimulated = () => Promise.reject(new AppError('internal', raw('not simulated')))

interface Entry {
  bytes: Buffer
  ino: number
  mtimeNs: string
}

/** A disk in memory behind the queue's port, with the faults that a real one has. It outlives the engine, as a disk does. */
export class MemoryFiles implements FilesPort {
  readonly imageWorkers = 2
  readonly disk = new Map<string, Entry>()
  readonly sidecars = new Map<string, Sidecar>()
  /** What every write does now. */
  fault: 'disk_full' | 'not_writable' | 'EMFILE' | null = null
  /** Paths that Hangar gave their bytes, to check that it never touched another. */
  readonly written = new Map<string, string>()
  #nextIno = 1
  setAside: FilesPort['setAside'] = async () => undefined
  resultDir: FilesPort['resultDir'] = async ({ targetDir }) => targetDir
  whyNoFolder: FilesPort['whyNoFolder'] = async () => null
  whyNotReplaceable: FilesPort['whyNotReplaceable'] = async () => null
  isFolder: FilesPort['isFolder'] = async () => true
  isRespelled: FilesPort['isRespelled'] = async () => false
  nameRoom: FilesPort['nameRoom'] = async () => 255
  readStaged: FilesPort['readStaged'] = async ({ partPath }) => this.disk.get(partPath)!.bytes
  rename: FilesPort['rename'] = notSimulated
  finishRename: FilesPort['finishRename'] = notSimulated
  replaceOriginal: FilesPort['replaceOriginal'] = notSimulated

  put(path: string, bytes: Buffer): void {
    const ino = this.#nextIno++
    this.disk.set(path, { bytes, ino, mtimeNs: String(ino) })
  }

  async readSource(path: string, _rootDir: string, maxBytes: number): Promise<SourceRead> {
    const entry = this.disk.get(path)
    if (entry === undefined) return { kind: 'gone' }
    const version = {
      sizeBytes: entry.bytes.length,
      mtimeNs: entry.mtimeNs,
      ctimeNs: entry.mtimeNs,
      ino: String(entry.ino),
      changedNs: entry.mtimeNs,
    }
    if (entry.bytes.length > maxBytes)
      return { kind: 'refused', reason: 'too_large', detail: raw('too large'), ...version }
    return {
      kind: 'snapshot',
      bytes: entry.bytes,
      sha256: hashOf(entry.bytes),
      ...version,
    }
  }

  readonly pictures = {
    inspect: async ({ bytes }) => {
      const [type] = Buffer.from(bytes.subarray(0, 100)).toString().split(':')
      if (type === 'cut') return { ok: false, reason: 'cut_off', detail: raw('ends too early') }
      if (type !== 'jpeg' && type !== 'png' && type !== 'gif' && type !== 'webp')
        return { ok: false, reason: 'not_an_image', detail: raw('other bytes') }
      return { ok: true, type, width: 4, height: 3, animated: false, frames: 1, extras: [] }
    },
    judge: async () => ({ ok: true, fits: true, bytes: null, losses: [] }),
    encode: async ({ bytes, options: { format, widths = [null] } }) => {
      const [first, ...others] = widths.map((width) => ({
        bytes: Buffer.from(`${format}:${hashOf(bytes)}${width ?? ''}`),
        width: width ?? 4,
        height: 3,
      }))
      return { ok: true, ...first!, others }
    },
    applyMetadata: async ({ bytes }) => ({ ok: true, bytes, lost: [], unchecked: [], extras: [] }),
    chooseTexts: async () => ({ ok: true, chosen: { own: [], withheld: [] } }),
    writeTexts: async ({ bytes, texts }) => {
      const [picture] = Buffer.from(bytes).toString().split(' texts:')
      const words = texts.length === 0 ? '' : ` texts:${JSON.stringify(texts)}`
      return { ok: true, bytes: Buffer.from(`${picture}${words}`) }
    },
  } satisfies Partial<PicturePort> as unknown as PicturePort

  async shrink({ bytes, sha256 }: { bytes: Uint8Array; sha256: string }): Promise<AnswerTo<'shrink'>> {
    const [type] = Buffer.from(bytes.subarray(0, 10)).toString().split(':')
    return { ok: true, bytes: Buffer.from(`${type}:a smaller ${sha256}`), width: 2, height: 2 }
  }

  place(sourcePath: string, _rootDir: string, _policy: unknown, names: NameFacts | null): Placement {
    return { sourcePath, targetRoot: dirname(sourcePath), targetDir: dirname(sourcePath), names }
  }

  async stage(
    place: Placement,
    jobId: string,
    role: string,
    produce: (sink: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
    width?: number,
  ): Promise<StagedFile> {
    this.#failIfAsked()
    const chunks: Uint8Array[] = []
    await produce(async (chunk) => {
      this.#failIfAsked()
      chunks.push(chunk)
    })
    const bytes = Buffer.concat(chunks)
    const ofWidth = width === undefined ? '' : `-${width}`
    const partPath = join(place.targetDir, `.hangar-${jobId}-${role}${ofWidth}.part`)
    this.put(partPath, bytes)
    return { partPath, sha256: hashOf(bytes), sizeBytes: bytes.length, ...(width === undefined ? {} : { width }) }
  }

  async discard({ partPath }: StagedFile): Promise<void> {
    this.disk.delete(partPath)
  }

  async publish(
    place: Placement,
    staged: StagedFile,
    role: 'optimized' | 'converted' | 'variant',
    type: string,
    isOwn: (path: string) => Promise<string | null>,
    onPlanned: (path: string) => Promise<void>,
  ): Promise<string> {
    this.#failIfAsked()
    const stem = basename(place.sourcePath).replace(/\.[^.]+$/, '')
    const extension = type === 'jpeg' ? 'jpg' : type
    for (let n = 1; ; n += 1) {
      const ofRole = { optimized: '-optimized', converted: '', variant: `-${staged.width}w` }[role]
      const suffix = ofRole + (n === 1 ? '' : `-${n}`)
      const path = join(place.targetDir, `${stem}${suffix}.${extension}`)
      const there = this.disk.get(path)
      const replaceable =
        there !== undefined && (hashOf(there.bytes) === staged.sha256 || (await isOwn(path)) === hashOf(there.bytes))
      if (there !== undefined && !replaceable) continue
      await onPlanned(path)
      const entry = this.disk.get(staged.partPath)!
      this.disk.set(path, entry)
      this.disk.delete(staged.partPath)
      this.written.set(path, staged.sha256)
      return path
    }
  }

  async exchange(
    { sourcePath }: Placement,
    staged: StagedFile,
    recorded: string,
    onPlanned: () => Promise<void>,
  ): Promise<'exchanged' | 'changed'> {
    this.#failIfAsked()
    const there = this.disk.get(sourcePath)
    if (there === undefined || hashOf(there.bytes) !== recorded) return 'changed'
    await onPlanned()
    this.disk.set(sourcePath, this.disk.get(staged.partPath)!)
    this.disk.delete(staged.partPath)
    this.written.set(sourcePath, staged.sha256)
    return 'exchanged'
  }

  async hasHash(path: string, sha256: string): Promise<boolean> {
    const entry = this.disk.get(path)
    return entry !== undefined && hashOf(entry.bytes) === sha256
  }

  async measure(path: string): Promise<{ sha256: string; sizeBytes: number } | null> {
    const bytes = this.disk.get(path)?.bytes
    return bytes === undefined ? null : { sha256: hashOf(bytes), sizeBytes: bytes.byteLength }
  }

  async readSidecar({ sourcePath }: Placement, sha256: string): Promise<{ path: string; sidecar: Sidecar } | null> {
    const path = `${sourcePath}.alt.json`
    const sidecar = this.sidecars.get(path)
    return sidecar?.source.sha256 === sha256 ? { path, sidecar } : null
  }

  async writeSidecar(place: Placement, _jobId: string, make: () => Sidecar): ReturnType<FilesPort['writeSidecar']> {
    this.#failIfAsked()
    const path = `${place.sourcePath}.alt.json`
    const before = this.sidecars.get(path)
    const sidecar = before === undefined ? make() : mergeSidecar(before, make())
    this.sidecars.set(path, sidecar)
    const sha256 = hashOf(Buffer.from(JSON.stringify(sidecar)))
    return { path, sha256, sizeBytes: 1, hasEarlierWords: false, setAside: [] }
  }

  async editSidecar(
    place: Placement,
    _jobId: string,
    sha256: string,
    make: () => SidecarEdit,
  ): Promise<'written' | 'missing' | 'other'> {
    this.#failIfAsked()
    const path = `${place.sourcePath}.alt.json`
    const sidecar = this.sidecars.get(path)
    if (sidecar === undefined) return 'missing'
    if (sidecar.source.sha256 !== sha256) return 'other'
    const edit = make()
    this.sidecars.set(path, withEdit(sidecar, edit))
    return 'written'
  }

  async listedOutputs(dir: string): Promise<ListedOutputs> {
    const told = [...this.sidecars].filter(([path]) => dirname(path) === dir).flatMap(([, sidecar]) => sidecar.outputs)
    return {
      byName: new Map(told.map(({ name, sha256 }) => [name, sha256])),
      hashes: new Set(told.map(({ sha256 }) => sha256)),
    }
  }

  /** What the sweep at start does. */
  sweep(): void {
    for (const path of this.disk.keys()) if (basename(path).startsWith('.hangar-')) this.disk.delete(path)
  }

  #failIfAsked(): void {
    if (this.fault === 'EMFILE') throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    if (this.fault !== null) throw new AppError(this.fault, raw('as the simulation wants'))
  }
}
