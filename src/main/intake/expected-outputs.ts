import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Job } from '../../shared/jobs/job.ts'
import { collisionKey } from '../core/naming.ts'
import { expectedNames } from '../core/output-names.ts'
import type { WorkPlan } from '../core/plan-work.ts'
import { resultFolder } from '../files/result-folder.ts'
import { sidecarName } from '../files/sidecar-file.ts'
import { findOutput, isEarlierSidecar } from '../journal/outputs.ts'
import type { DecisionContext } from '../queue/context.ts'
import { NameCounter, nameFactsOf } from '../queue/name-facts.ts'
import type { Placement } from '../queue/ports.ts'

/** Cached folder listings: pictures come folder by folder. */
const MAX_LISTINGS = 20

/** How many taken names are skipped at most. */
const MAX_NUMBERS = 50

/** The outputs that the pictures of one batch would get, given the files that exist: no name is used twice. */
export class ExpectedOutputs {
  readonly #context: DecisionContext
  readonly #given = new Set<string>()
  readonly #listings = new Map<string, ReadonlySet<string>>()
  readonly #counter: NameCounter
  /** Folders of templates, as they are spelled on the disk or by the first picture that goes into one. */
  readonly #spelled = new Map<string, string>()

  constructor(context: DecisionContext) {
    this.#context = context
    this.#counter = new NameCounter(context)
  }

  /** The target folder and the names in it, as `expectedNames` gives them, and the sidecar's. */
  async of(job: Job, plan: WorkPlan): Promise<{ dir: string; names: string[] }> {
    const { source, rootDir, recipe, image } = job
    if (image === null) return { dir: '', names: [] }
    const place = this.#context.files.place(source.path, rootDir, recipe.output, null)
    const dir = place.targetDir
    const room = await this.#context.files.nameRoom(place)
    const named = job.named ?? this.#counter.namedOf(job, { store: false })
    const { seoName, language, size } = nameFactsOf(this.#context, job)
    const { type, transparent } = image
    const facts = { seoName, language, size, date: named?.date ?? null, number: named?.number ?? null }
    const of = { name: basename(source.path), type, transparent, sizeBytes: source.sizeBytes, facts }
    const names: string[] = []
    for (const { nth, isFixed } of expectedNames(of, recipe, plan, room)) {
      let name = await this.#onDisk(dir, nth(1))
      for (let n = 2; n <= MAX_NUMBERS && !isFixed && (await this.#isTaken(dir, name, source.path)); n += 1)
        name = await this.#onDisk(dir, nth(n))
      names.push(name)
    }
    names.push(await this.#sidecarOf(place, job, room))
    for (const name of names) this.#given.add(keyOf(dir, name))
    return { dir, names }
  }

  /** An earlier result of the same picture is replaced, unless another program has changed it. */
  async #isTaken(dir: string, name: string, sourcePath: string): Promise<boolean> {
    if (this.#given.has(keyOf(dir, name))) return true
    const path = join(dir, name)
    if (!(await this.#listing(dirname(path))).has(collisionKey(basename(path)))) return false
    const known = findOutput(this.#context.db, path)
    return known?.sourcePath !== sourcePath || !(await this.#context.files.hasHash(path, known.sha256))
  }

  async #onDisk(dir: string, name: string): Promise<string> {
    const slash = name.lastIndexOf('/')
    return slash === -1 ? name : (await this.#spellingOf(dir, name.slice(0, slash))) + name.slice(slash)
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

  async #sidecarOf(place: Placement, job: Job, room: number): Promise<string> {
    const { db, files } = this.#context
    const there = await this.#listing(place.targetDir)
    const nameOf = (n: number) => sidecarName(basename(job.source.path), n, room)
    const isThere = (n: number) => there.has(collisionKey(nameOf(n)))
    const own = [1, 2, 3].some(isThere)
      ? await files.readSidecar(place, job.image?.sha256 ?? '', (path) => isEarlierSidecar(db, job, path))
      : null
    if (own !== null) return basename(own.path)
    for (let n = 1; ; n += 1) if (!isThere(n) && !this.#given.has(keyOf(place.targetDir, nameOf(n)))) return nameOf(n)
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

const keyOf = (dir: string, name: string) => `${dir}\0${collisionKey(name)}`
