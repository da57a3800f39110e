import { basename, dirname, isAbsolute } from 'node:path'
import type { EngineResponse } from '../../../shared/contract/calls.ts'
import type { TextFormat } from '../../../shared/contract/texts.ts'
import type { Job } from '../../../shared/jobs/job.ts'
import { MAX_ALT_TEXT_CHARS, MAX_NAME_CHARS, MAX_REPLACEMENTS } from '../../../shared/recipes/limits.ts'
import { languageCodeOf } from '../../../shared/text/language-code.ts'
import { cellText } from '../../../shared/text/csv-cell.ts'
import { takenText } from '../../../shared/text/safe-characters.ts'
import type { GivenText, GivenTexts } from '../../core/given-text.ts'
import { measureFile } from '../../files/regular-file.ts'
import { findSidecars } from '../../files/sidecar-file.ts'
import type { JobStore } from '../../journal/job-store.ts'
import { jobsWithContent } from '../../journal/job-ids.ts'
import type { Db } from '../../journal/journal.ts'
import { editedBytes, hasRoom, wordsOf, writtenBytes } from '../../journal/text-edits.ts'
import type { WordRule } from '../../../shared/recipes/word-rules.ts'
import { notesOnWords, compileRules } from '../../core/word-rules.ts'

export type MatchedTexts = EngineResponse<'jobs.matchTexts'>
type Change = MatchedTexts['changes'][number]

const FIELDS = [
  ['altText', MAX_ALT_TEXT_CHARS],
  ['seoFilename', MAX_NAME_CHARS],
] as const

/** The paths that alone say which pictures these texts are about. */
export const pathsOf = (texts: readonly GivenText[]): string[] => [
  ...new Set(texts.filter(({ sha256 }) => sha256 === null).map(({ path }) => path)),
]

/** Whether the journal knows no picture with texts at this path. */
export const isLost = (store: JobStore, path: string): boolean => jobAt(store, path) === null

/**
 * The content of the pictures at these paths, or else the one that their sidecars are about. Only absolute paths of this computer are
 * read: a file of texts comes from elsewhere.
 */
export async function contentsAt(paths: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const path of paths) {
    signal?.throwIfAborted()
    if (!isAbsolute(path) || /^[/\\]{2}/.test(path) || path.includes('\0')) continue
    const sha256 = (await measureFile(path))?.sha256 ?? (await ofSidecars(path))
    if (sha256 !== null) contents.set(path, sha256)
  }
  return contents
}

/** Null also if they are about several contents. */
async function ofSidecars(path: string): Promise<string | null> {
  const sidecars = await findSidecars(dirname(path), basename(path)).catch(() => [])
  const [first, ...others] = new Set(sidecars.map(({ sidecar }) => sidecar.source.sha256))
  return others.length === 0 ? (first ?? null) : null
}

interface Picture {
  job: Job | null
  texts: ReturnType<typeof wordsOf>['texts']
}

/** Compares texts with the journal's. They are about the content that the file names, else about the picture at their path. */
export class TextMatcher {
  readonly #db: Db
  readonly #store: JobStore
  readonly #contents: ReadonlyMap<string, string>
  readonly #carried: (text: string) => string
  readonly #matched: Pick<MatchedTexts, 'unchanged' | 'unread' | 'tooLong' | 'contradictory'>
  readonly #unknown = new Set<string>()
  readonly #otherContent = new Set<string>()
  readonly #noLanguages = new Set<string>()
  /** By codes as the file has them. */
  readonly #meant = new Map<string, Meaning>()
  readonly #pictures = new Map<string, Picture>()
  /** By content and language. A text that two lines change in different ways is none. */
  readonly #changes = new Map<string, Change>()
  readonly #contradicted = new Set<string>()
  /** By content: bytes of its edits with the changes so far. */
  readonly #edited = new Map<string, number>()

  constructor(
    { db, store }: { db: Db; store: JobStore },
    contents: ReadonlyMap<string, string>,
    { format, unread }: { format: TextFormat } & Pick<GivenTexts, 'unread'>,
  ) {
    this.#db = db
    this.#store = store
    this.#contents = contents
    this.#carried = format === 'csv' ? carriedByCsv : takenText
    this.#matched = { unchanged: 0, unread, tooLong: [], contradictory: [] }
  }

  add(text: GivenText): void {
    const { job, texts } = this.#pictureOf(text)
    if (job === null) {
      const isOther = text.sha256 !== null && !isLost(this.#store, text.path)
      const left = isOther ? this.#otherContent : this.#unknown
      left.add(text.path)
      return
    }
    const path = text.sha256 === null ? text.path : job.source.path
    const languageCode = this.#languageAmong(texts, text.languageCode)
    if (languageCode === null) {
      this.#noLanguages.add(text.languageCode)
      return
    }
    const now = texts.find((one) => one.languageCode === languageCode) ?? NO_TEXT
    const sha256 = job.image?.sha256 ?? ''
    const key = `${sha256} ${languageCode}`
    let isUnchanged = true
    for (const [field, most] of FIELDS) {
      const to = text[field]
      if (to === null || this.#carried(to) === this.#carried(now[field])) continue
      isUnchanged = false
      const isNew = (this.#changes.get(key)?.[field] ?? null) === null
      if (to.length > most || (isNew && !this.#fits(sha256, to, editIn(now, field))))
        this.#matched.tooLong.push({ path, languageCode })
      else this.#change(key, field, { seen: now[field], to }, { id: job.id, path, languageCode })
    }
    if (isUnchanged) this.#matched.unchanged += 1
  }

  matched(): MatchedTexts {
    const changes = [...this.#changes.values()].filter(
      ({ altText, seoFilename }) => altText !== null || seoFilename !== null,
    )
    return {
      ...this.#matched,
      changes,
      unknown: [...this.#unknown],
      otherContent: [...this.#otherContent],
      noLanguages: [...this.#noLanguages],
    }
  }

  /** Counts the text as changed where it has room beside the others of its picture. */
  #fits(sha256: string, to: string, before: string | null): boolean {
    const bytes = this.#edited.get(sha256) ?? editedBytes(this.#db, sha256)
    const after = bytes + writtenBytes(to) - writtenBytes(before)
    const fits = hasRoom(after, bytes)
    this.#edited.set(sha256, fits ? after : bytes)
    return fits
  }

  #change(
    key: string,
    field: 'altText' | 'seoFilename',
    to: { seen: string; to: string },
    of: Pick<Change, 'id' | 'path' | 'languageCode'>,
  ): void {
    const where = `${key} ${field}`
    const change = this.#changes.get(key) ?? { ...of, altText: null, seoFilename: null }
    const isOther = change[field] !== null && change[field].to !== to.to
    if (isOther || this.#contradicted.has(where)) {
      this.#contradicted.add(where)
      this.#matched.contradictory.push({ path: of.path, languageCode: of.languageCode })
    }
    this.#changes.set(key, { ...change, [field]: this.#contradicted.has(where) ? null : to })
  }

  /**
   * The language that a code means: this one, or the picture's without the usual region, which translators' programs add (`de-DE` for
   * `de`, but not `de-AT`, nor `zh-Hant` for `zh`). Null for what is none.
   */
  #languageAmong(texts: Picture['texts'], given: string): string | null {
    const has = (code: string) => texts.some(({ languageCode }) => languageCode === code)
    if (has(given.toLowerCase())) return given.toLowerCase()
    const meaning = this.#meant.get(given) ?? meaningOf(given)
    this.#meant.set(given, meaning)
    const { code, usual } = meaning
    return usual !== null && !has(code ?? '') && has(usual) ? usual : code
  }

  #pictureOf({ path, sha256 }: GivenText): Picture {
    const key = sha256 ?? path
    let picture = this.#pictures.get(key)
    if (picture === undefined) {
      const content = sha256 ?? this.#contents.get(path)
      const job = content === undefined ? jobAt(this.#store, path) : this.#jobOf(content, sha256 !== null)
      picture = { job, texts: job === null ? [] : wordsOf(this.#db, job).texts }
      this.#pictures.set(key, picture)
    }
    return picture
  }

  /** The newest job with texts of a picture with this content; with `isThere`, of one that no other content has taken the place of. */
  #jobOf(sha256: string, isThere: boolean): Job | null {
    for (const id of jobsWithContent(this.#db, sha256)) {
      const job = this.#store.get(id)
      if (job !== null && hasTexts(job) && (!isThere || this.#isThere(job))) return job
    }
    return null
  }

  #isThere(job: Job): boolean {
    return jobAt(this.#store, job.source.path)?.image?.sha256 === job.image?.sha256
  }
}

/** A code of the file as a language, and in the shortest form that means the same; null where it is none. */
interface Meaning {
  code: string | null
  usual: string | null
}

function meaningOf(given: string): Meaning {
  const code = languageCodeOf(given)
  return { code, usual: code === null ? null : new Intl.Locale(code).minimize().toString() }
}

/** What a person sees of a text in a further language. */
const NO_TEXT = { altText: '', original: null, seoFilename: '', originalName: null }

/** The text where it is no longer the service's. */
function editIn(now: typeof NO_TEXT | Picture['texts'][number], field: 'altText' | 'seoFilename'): string | null {
  return (field === 'altText' ? now.original : now.originalName) === null ? null : now[field]
}

/** The newest job with texts of the picture at this path. */
function jobAt(store: JobStore, path: string): Job | null {
  return store.list({ path, newestFirst: true }).find(hasTexts) ?? null
}

const hasTexts = (job: Job) => (job.result?.translations.length ?? 0) > 0

/** What is left of a text in a table that spreadsheets read. */
const carriedByCsv = (text: string) => takenText(cellText(text)).replace(/\r\n?/g, '\n')

type Tried = EngineResponse<'jobs.tryRules'>

/** Tries word rules on the texts of jobs that are there; see `jobs.tryRules`. */
export class RuleTrial {
  readonly tried: Tried = { found: [], flagged: [], texts: 0, persons: 0, more: 0 }
  readonly #db: Db
  readonly #applyRules: ReturnType<typeof compileRules>
  readonly #seen = new Set<string>()

  constructor(db: Db, rules: readonly WordRule[]) {
    this.#db = db
    this.#applyRules = compileRules(rules)
  }

  add(job: Job): void {
    const { id, image, source } = job
    for (const { languageCode, altText: before, original, byRule } of wordsOf(this.#db, job).texts) {
      const key = `${image?.sha256 ?? ''} ${languageCode}`
      if (this.#seen.has(key) || before === '') continue
      this.#seen.add(key)
      const isPersons = original !== null && byRule !== true
      const own = isPersons ? before : (original ?? before)
      const { text: after, findings } = this.#applyRules(own, languageCode)
      const at = { id, name: basename(source.path), path: source.path, languageCode, before }
      this.tried.texts += 1
      if (isPersons) this.tried.persons += 1
      else if (after !== before && this.tried.found.length === MAX_REPLACEMENTS) this.tried.more += 1
      else if (after !== before) this.tried.found.push({ ...at, after })
      if (findings.length > 0 && this.tried.flagged.length < MAX_REPLACEMENTS)
        this.tried.flagged.push({ ...at, notes: notesOnWords([{ languageCode, findings }]) })
    }
  }
}
