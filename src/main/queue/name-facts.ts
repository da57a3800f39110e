import { basename } from 'node:path'
import { z } from 'zod'
import type { ImageFacts, Job } from '../../shared/jobs/job.ts'
import { namesUse } from '../../shared/recipes/name-template.ts'
import type { SidecarText } from '../../shared/jobs/sidecar.ts'
import { planWork, wantsReplace } from '../core/plan-work.ts'
import type { NamedResult, NameFacts } from '../core/result-name.ts'
import { Documents } from '../journal/documents.ts'
import { editsOf, withEdits } from '../journal/text-edits.ts'
import type { DecisionContext } from './context.ts'

/** The last number that was given, by target folder and template. */
const COUNTER = 'name_counter'

/** The text that names a job's results: of its first language, with a person's edits. */
function namingText({ db }: Pick<DecisionContext, 'db'>, { recipe, image, result }: Job): SidecarText | null {
  if (!namesUse(recipe.naming, 'seo') && !namesUse(recipe.naming, 'lang')) return null
  const texts = withEdits(result?.translations ?? [], editsOf(db, image?.sha256 ?? ''))
  const first = texts.find(({ languageCode }) => languageCode === recipe.languages[0])
  // A person's own text may have no name.
  return (first === undefined || first.seoFilename === '' ? texts[0] : first) ?? null
}

/** What the results of a job are named after, as far as it is known now. */
export function nameFactsOf(context: Pick<DecisionContext, 'db'>, job: Job): NameFacts {
  const { recipe, source, image, named } = job
  const text = namingText(context, job)
  return {
    naming: recipe.naming,
    sourceName: basename(source.path),
    seoName: namesUse(recipe.naming, 'seo') ? (text?.seoFilename ?? null) : null,
    language: text?.languageCode ?? recipe.languages[0] ?? '',
    date: named?.date ?? null,
    number: named?.number ?? null,
    size: image === null ? null : { width: image.width, height: image.height },
    longEdge: recipe.longEdge,
    replaces: wantsReplace(job),
  }
}

export function resultsOf({ recipe, image }: Job): NamedResult[] {
  const plan = image === null ? null : planWork(recipe, image)
  if (plan === null || 'cannot' in plan) return []
  return [
    { role: 'optimized' },
    { role: 'converted' },
    ...plan.widths.map((width): NamedResult => ({ role: 'variant', width })),
  ]
}

/** When a picture was taken, else when its file was last changed; local time. */
export function dateOf({ takenAt }: ImageFacts, { mtimeNs }: { mtimeNs: string }): string {
  if (takenAt !== undefined) return takenAt
  const changed = new Date(Number(BigInt(mtimeNs) / 1_000_000n))
  const two = (value: number) => `${value}`.padStart(2, '0')
  const year = `${Math.min(Math.max(changed.getFullYear(), 0), 9999)}`.padStart(4, '0')
  const day = `${year}-${two(changed.getMonth() + 1)}-${two(changed.getDate())}`
  return `${day}T${two(changed.getHours())}:${two(changed.getMinutes())}:${two(changed.getSeconds())}`
}

/** The numbers of the pictures of a folder: each keeps the one that it has, and a new one gets the next. */
export class NameCounter {
  readonly #context: Pick<DecisionContext, 'db' | 'clock' | 'store' | 'files'>
  readonly #documents: Documents
  /** Given here and not stored. */
  readonly #given = new Map<string, number>()

  constructor(context: Pick<DecisionContext, 'db' | 'clock' | 'store' | 'files'>) {
    this.#context = context
    this.#documents = new Documents(context.db)
  }

  /** What intake fixes for the names of this job. `store`: what is given is kept. */
  namedOf(job: Job, { store }: { store: boolean }): Job['named'] {
    const { image, source, recipe } = job
    const [date, number] = [namesUse(recipe.naming, 'date'), namesUse(recipe.naming, 'n')]
    if (image === null || (!date && !number)) return undefined
    return { number: number ? this.#numberOf(job, store) : null, date: date ? dateOf(image, source) : null }
  }

  #numberOf(job: Job, stores: boolean): number {
    const key = this.#keyOf(job)
    const before = this.#context.store
      .list({ path: job.source.path, newestFirst: true, limit: 50 })
      .find((earlier) => typeof earlier.named?.number === 'number' && this.#keyOf(earlier) === key)
    if (before?.named?.number != null) return before.named.number
    const last = this.#given.get(key) ?? this.#documents.get(COUNTER, key, z.number().int()) ?? 0
    if (stores) this.#documents.put(COUNTER, key, last + 1)
    else this.#given.set(key, last + 1)
    return last + 1
  }

  #keyOf({ source, rootDir, recipe }: Job): string {
    const { targetDir } = this.#context.files.place(source.path, rootDir, recipe.output, null)
    return `${targetDir}\0${recipe.naming}`
  }
}
