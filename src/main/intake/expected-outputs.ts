import { readdir } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { Job } from '../../shared/jobs/job.ts'
import { collisionKey } from '../core/naming.ts'
import { ExpectedNames } from '../core/output-names.ts'
import type { WorkPlan } from '../core/plan-work.ts'
import { resultFolder } from '../files/result-folder.ts'
import { sidecarName } from '../files/sidecar-file.ts'
import { findOutput, isEarlierSidecar } from '../journal/outputs.ts'
import type { DecisionContext } from '../queue/context.ts'
import { NameCounter, nameFactsOf } from '../queue/name-facts.ts'
import type { Placement } from '../queue/ports.ts'

/** Cached folder listings: pictures come folder by folder. */
const MAX_LISTINGS = 20

/** The outputs that the pictures of one batch would get, one picture after the other, given the files that exist. */
export class ExpectedOutputs {
  readonly #context: DecisionContext
  readonly #given = new ExpectedNames()
  readonly #listings = new Map<string, ReadonlySet<string>>()
  readonly #counter: NameCounter
  /** Folders of templates, as they are spelled on the disk or by the first picture that goes into one. */
  readonly #spelled = new Map<string, string>()

  constructor(context: DecisionContext) {
    this.#context = context
    this.#counter = new NameCounter(context)
  }

  /**
   * The target folder and the names in it, with `/` after each folder of a template. `<seo>` stands for the name that the service will
   * suggest. A replaced original is listed under its own name.
   */
  async of(job: Job, plan: WorkPlan): Promise<{ dir: string; names: string[] }> {
    const { source, rootDir, recipe, image } = job
    if (image === null) return { dir: '', names: [] }
    const place = this.#context.files.place(source.path, rootDir, recipe.output, null)
    const dir = place.targetDir
    const there = await this.#listing(dir)
    const below = new Map<string, ReadonlySet<string>>()
    const spelled = new Map<string, string>()
    const onDisk = (candidate: string): string => {
      const slash = candidate.lastIndexOf('/')
      return slash === -1
        ? candidate
        : (spelled.get(candidate.slice(0, slash)) ?? candidate.slice(0, slash)) + candidate.slice(slash)
    }
    const room = await this.#context.files.nameRoom(place)
    const name = basename(source.path)
    const sidecar = await this.#sidecarOf(place, job, there, room)
    const named = job.named ?? this.#counter.namedOf(job, { store: false })
    const { seoName, language, size } = nameFactsOf(this.#context, job)
    const facts = { seoName, language, size, date: named?.date ?? null, number: named?.number ?? null }
    const makesWay = new Map<string, boolean>()
    for (;;) {
      let unsure: string | null = null
      let unread: string | null = null
      const isTaken = (candidate: string): boolean => {
        const slash = candidate.lastIndexOf('/')
        const folder = slash === -1 ? null : candidate.slice(0, slash)
        const listing = folder === null ? there : below.get(folder)
        if (listing === undefined) unread ??= folder
        if (listing?.has(collisionKey(candidate.slice(slash + 1))) !== true) return false
        if (!makesWay.has(candidate)) unsure ??= candidate
        return makesWay.get(candidate) !== true
      }
      const { type, transparent } = image
      const of = { name, type, transparent, sizeBytes: source.sizeBytes, facts }
      const results = this.#given.of(dir, of, recipe, plan, isTaken, room)
      if (unread !== null) {
        const folder = await this.#spellingOf(dir, unread)
        spelled.set(unread, folder)
        below.set(unread, await this.#listing(join(dir, folder)))
        continue
      }
      if (unsure === null) {
        const names = [...results.map(onDisk), sidecar]
        this.#given.give(dir, names)
        return { dir, names }
      }
      makesWay.set(unsure, await this.#isUnchangedResult(join(dir, onDisk(unsure)), source.path))
    }
  }

  async #spellingOf(dir: string, folder: string): Promise<string> {
    const key = `${dir}\0${collisionKey(folder)}`
    const known = this.#spelled.get(key)
    if (known !== undefined) return known
    const found = relative(dir, await resultFolder(dir, folder.split('/'), false))
      .split(sep)
      .join('/')
    this.#spelled.set(key, found)
    return found
  }

  /** An earlier result of the same picture is replaced, unless another program has changed it. */
  async #isUnchangedResult(path: string, sourcePath: string): Promise<boolean> {
    const known = findOutput(this.#context.db, path)
    return known?.sourcePath === sourcePath && (await this.#context.files.hasHash(path, known.sha256))
  }

  async #sidecarOf(place: Placement, job: Job, there: ReadonlySet<string>, room: number): Promise<string> {
    const { db, files } = this.#context
    const nameOf = (n: number) => sidecarName(basename(job.source.path), n, room)
    const isThere = (n: number) => there.has(collisionKey(nameOf(n)))
    const own = [1, 2, 3].some(isThere)
      ? await files.readSidecar(place, job.image?.sha256 ?? '', (path) => isEarlierSidecar(db, job, path))
      : null
    if (own !== null) return basename(own.path)
    for (let n = 1; ; n += 1) if (!isThere(n) && !this.#given.has(place.targetDir, nameOf(n))) return nameOf(n)
  }

  async #listing(dir: string): Promise<ReadonlySet<string>> {
    const known = this.#listings.get(dir)
    if (known !== undefined) return known
    const names = await readdir(dir).catch(() => [])
    const listing = new Set(names.map(collisionKey))
    this.#listings.set(dir, listing)
    const oldest = this.#listings.keys().next()
    if (this.#listings.size > MAX_LISTINGS && oldest.done !== true) this.#listings.delete(oldest.value)
    return listing
  }
}
