import { resolve } from 'node:path'
import type { EngineResponse } from '../../shared/contract/calls.ts'
import type { WordRule } from '../../shared/recipes/word-rules.ts'
import { MAX_REPLACEMENTS } from '../../shared/recipes/limits.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { noteText } from '../../shared/sentences/reason-text.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { countText } from '../core/english-figures.ts'
import { RuleTrial } from '../engine/calls/match-texts.ts'
import { realClock } from '../engine/real-clock.ts'
import { readJournal, storedSettings } from '../engine/stored-settings.ts'
import { isInside } from '../files/real-path.ts'
import { realAsFarAsItExists } from '../watch/real-path.ts'
import { JobStore } from '../journal/job-store.ts'
import { changeShown, isAllChanged, NOTHING_CHANGED } from './import.ts'
import type { Cli, CliCommand } from './command.ts'
import { pathText } from './figures.ts'
import { readRules } from './recipe-options.ts'
import { baseRecipe } from './recipes.ts'

interface RuleFlags {
  rules?: string
  recipe?: string
  yes?: boolean
}

type Tried = EngineResponse<'jobs.tryRules'>

/** Texts that are shown before they are changed; `try` shows more. */
const SHOWN = 10
const SHOWN_WHEN_TRIED = 100

/** `hangar rules`: word rules on texts that are there. */
export function addRulesCommand(program: CliCommand, cli: Cli): void {
  const rules = program
    .command('rules')
    .summary('try the word rules of a recipe on texts that are there, or apply them')
    .description(
      'Word rules say how alt texts are to be worded: words to replace, words that are flagged, a length. A recipe applies them to texts as they come from the service, which takes no hints about them. These commands are for texts that are there already.',
    )
  const add = (name: string, description: string) =>
    rules
      .command(name)
      .description(description)
      .argument('[path...]', 'only these pictures, and those in these folders')
      .option('--rules <file>', 'the rules in this JSON file, instead of those of the default recipe')
      .option('--recipe <name>', 'the rules of this saved recipe')
  add('try', 'Shows what the rules would change in the texts and what they flag, and changes nothing.').action(
    (paths: string[], flags: RuleFlags) => tryRules(cli, paths, flags),
  )
  add(
    'apply',
    'Shows what the rules change, asks, and changes the texts as if each had been typed: into sidecars and results too. Texts that a person wrote stay. Sends nothing and costs nothing.',
  )
    .option('-y, --yes', 'change the texts without asking')
    .action((paths: string[], flags: RuleFlags) => applyRules(cli, paths, flags))
}

async function tryRules(cli: Cli, paths: string[], flags: RuleFlags): Promise<void> {
  const tried = await triedOn(cli, paths, flags)
  if (cli.terminal.isJson) cli.terminal.json({ event: 'rules', ...NOTHING_CHANGED, ...figures(tried) })
  else show(cli, tried, SHOWN_WHEN_TRIED)
}

async function applyRules(cli: Cli, paths: string[], flags: RuleFlags): Promise<ExitCode> {
  const tried = await triedOn(cli, paths, flags)
  if (!cli.terminal.isJson) show(cli, tried, SHOWN)
  const edits = tried.found.map(({ id, languageCode, before, after }) => ({
    id,
    languageCode,
    altText: { seen: before, to: after },
    seoFilename: null,
    byRule: true,
  }))
  const done = await changeShown(cli, flags, edits)
  cli.terminal.json({ event: 'rules', ...(done ?? NOTHING_CHANGED), ...figures(tried) })
  if (!cli.terminal.isJson && done !== null && edits.length > 0)
    cli.terminal.err(`${countText(done.changed, 'text')} changed.`)
  return isAllChanged(done) && tried.more === 0 ? ExitCode.ok : ExitCode.someNotDone
}

/** Throws `bad_request` for paths without texts, and for rules that are not there. */
async function triedOn(cli: Cli, paths: string[], flags: RuleFlags): Promise<Tried> {
  const { dataDir } = cli
  const rules = rulesOf(cli, flags)
  const places = await Promise.all(paths.map((path) => realAsFarAsItExists(resolve(cli.cwd, path))))
  const seen = new Set<string>()
  const tried = readJournal(dataDir, (db) => {
    const trial = new RuleTrial(db, rules)
    for (const job of new JobStore(db, () => realClock.nowMs()).each({ newestFirst: true })) {
      const around = places.filter((one) => isInside(one, job.source.path))
      if (places.length > 0 && around.length === 0) continue
      for (const place of around) seen.add(place)
      trial.add(job)
    }
    return trial.tried
  })
  const unknown = paths.find((_, nth) => !seen.has(places[nth]!))
  if (unknown !== undefined) throw new AppError('bad_request', say('cli_no_texts_there', { path: unknown }))
  return tried
}

function rulesOf({ cwd, dataDir }: Cli, { rules: file, recipe: name }: RuleFlags): readonly WordRule[] {
  if (file !== undefined && name !== undefined) throw new AppError('bad_request', say('cli_rules_twice'))
  if (file !== undefined) return readRules(resolve(cwd, file))
  const recipe = baseRecipe(dataDir, name, storedSettings(dataDir).recipe)
  if (recipe.rules.length === 0) throw new AppError('bad_request', say('cli_no_rules', { name: recipe.name }))
  return recipe.rules
}

function show({ terminal, cwd }: Cli, { found, flagged, texts, persons, more }: Tried, most: number): void {
  for (const { path, languageCode, before, after } of found.slice(0, most)) {
    terminal.out(`${pathText(path, cwd)} (${languageCode})`)
    terminal.out(`  - ${before.replaceAll(/\s+/g, ' ')}`)
    terminal.out(`  + ${after.replaceAll(/\s+/g, ' ')}`)
  }
  if (found.length > most) terminal.out(`… and ${countText(found.length - most, 'more text')}.`)
  for (const { path, notes } of flagged.slice(0, most))
    for (const note of notes) terminal.out(`${pathText(path, cwd)}: ${noteText(note)}`)
  if (flagged.length > most) terminal.out(`… and ${countText(flagged.length - most, 'more flagged text')}.`)
  terminal.err(
    `${countText(found.length, 'text')} of ${texts} would change, ${flagged.length} ${flagged.length === 1 ? 'is' : 'are'} flagged.`,
  )
  if (persons > 0)
    terminal.err(`${countText(persons, 'text')} that a person wrote ${persons === 1 ? 'stays' : 'stay'}.`)
  if (more > 0) terminal.err(`Only the newest ${MAX_REPLACEMENTS} are changed at once; ${more} more remain.`)
}

const figures = ({ found, flagged, ...counts }: Tried) => ({
  found: found.map(({ path, languageCode, before, after }) => ({ path, languageCode, before, after })),
  flagged: flagged.map(({ path, languageCode, before: text, notes }) => ({ path, languageCode, text, notes })),
  ...counts,
})
