import { readFileSync, statSync } from 'node:fs'
import { WordRules } from '../../shared/recipes/word-rules.ts'
import type { WordRule } from '../../shared/recipes/word-rules.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { readJson } from '../core/read-json.ts'
import { problemsOf } from './config-problems.ts'

/** A hundred rules take a tenth of it. */
const MAX_BYTES = 1_000_000

/** Word rules from a file: a JSON list, as a recipe has them in a configuration. Throws `bad_request` with all that is wrong. */
export function readRules(path: string): WordRule[] {
  const refuse = (why: string) => new AppError('bad_request', say('cli_rules_unusable', { path, why: raw(why) }))
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() !== true) throw new AppError('bad_request', say('path_missing', { path }))
  if (stats.size > MAX_BYTES) throw refuse('It is too large.')
  const read = readJson(readFileSync(path))
  if ('wrong' in read) throw refuse(read.wrong)
  const parsed = WordRules.safeParse(read.value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap(problemsOf)
  throw refuse(problems.map(({ path: at, message }) => (at === '' ? message : `${at}: ${message}`)).join(' '))
}
