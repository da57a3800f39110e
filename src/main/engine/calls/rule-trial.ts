import { basename } from 'node:path'
import type { EngineResponse } from '../../../shared/contract/calls.ts'
import type { Job } from '../../../shared/jobs/job.ts'
import { MAX_REPLACEMENTS } from '../../../shared/recipes/limits.ts'
import type { WordRule } from '../../../shared/recipes/word-rules.ts'
import { notesOnWords, wordRuler } from '../../core/word-rules.ts'
import type { Db } from '../../journal/journal.ts'
import { wordsOf } from '../../journal/text-edits.ts'

type Tried = EngineResponse<'jobs.tryRules'>

export const nothingTried = (): Tried => ({ found: [], flagged: [], texts: 0, persons: 0, more: 0 })

/** Tries word rules on the texts of jobs that are there; see `jobs.tryRules`. */
export class RuleTrial {
  readonly tried = nothingTried()
  readonly #db: Db
  readonly #ruled: ReturnType<typeof wordRuler>
  readonly #seen = new Set<string>()

  constructor(db: Db, rules: readonly WordRule[]) {
    this.#db = db
    this.#ruled = wordRuler(rules)
  }

  add(job: Job): void {
    const { id, image, source } = job
    for (const { languageCode, altText: before, original, byRule } of wordsOf(this.#db, job).texts) {
      const key = `${image?.sha256 ?? ''} ${languageCode}`
      if (this.#seen.has(key) || before === '') continue
      this.#seen.add(key)
      const isPersons = original !== null && byRule !== true
      const own = isPersons ? before : (original ?? before)
      const { text: after, findings } = this.#ruled(own, languageCode)
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
