import { SavedRecipe } from '../../shared/contract/recipes.ts'
import type { Recipe } from '../../shared/recipes/recipe.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { listText } from '../../shared/text/list-text.ts'
import { jsonText } from '../../shared/text/safe-characters.ts'
import { collisionKey } from '../core/naming.ts'
import { Documents } from '../journal/documents.ts'
import { readJournal, storedSettings } from '../engine/stored-settings.ts'
import type { Cli, CliCommand } from './command.ts'
import { columns } from './figures.ts'

/** A saved one, or the default one. */
interface NamedRecipe {
  isDefault: boolean
  recipe: Recipe
}

/** `hangar recipes`: the recipes that were saved in the window, for `--recipe`. */
export function addRecipesCommand(program: CliCommand, cli: Cli): void {
  const recipes = program
    .command('recipes')
    .summary('list the saved recipes, or show one')
    .description(
      'Lists the default recipe and those that were saved under a name in the window. "run" and "watch" take one of them with --recipe NAME.',
    )
    .action(() => listRecipes(cli))
  recipes
    .command('show')
    .description('Prints a recipe as JSON, as in the member "recipe" of a configuration.')
    .argument('<name>', 'as "hangar recipes" lists it')
    .action((name: string) => showRecipe(cli, name))
}

function listRecipes({ terminal, dataDir }: Cli): void {
  const named = namedRecipes(dataDir)
  for (const { isDefault, recipe } of named) terminal.json({ event: 'recipe', default: isDefault, recipe })
  const rows = named.map(({ isDefault, recipe: { name, operation, languages, format } }) => [
    name,
    operation,
    listText(languages, 'en'),
    format,
    isDefault ? 'default' : '',
  ])
  for (const line of columns(rows)) terminal.out(line)
}

function showRecipe({ terminal, dataDir }: Cli, name: string): void {
  const { isDefault, recipe } = recipeNamed(namedRecipes(dataDir), name)
  terminal.json({ event: 'recipe', default: isDefault, recipe })
  if (!terminal.isJson) terminal.raw(`${jsonText(recipe, 2)}\n`)
}

/** The default recipe, then the saved ones by name. */
function namedRecipes(dataDir: string, standard: Recipe = storedSettings(dataDir).recipe): NamedRecipe[] {
  const saved = readJournal(dataDir, (db) =>
    new Documents(db).list('recipe', SavedRecipe).map(({ value }) => value.recipe),
  )
  const others = saved.sort((a, b) => a.name.localeCompare(b.name)).map((recipe) => ({ isDefault: false, recipe }))
  return [{ isDefault: true, recipe: standard }, ...others]
}

/** The one of `--recipe`, or else `standard`; case and Unicode form do not count. Throws `not_found`. */
export function baseRecipe(dataDir: string, name: string | undefined, standard: Recipe): Recipe {
  return name === undefined ? standard : recipeNamed(namedRecipes(dataDir, standard), name).recipe
}

function recipeNamed(named: readonly NamedRecipe[], name: string): NamedRecipe {
  const key = collisionKey(name.trim())
  // A saved recipe may have the name of the default one, which was changed since.
  const found = named.toReversed().find(({ recipe }) => collisionKey(recipe.name) === key)
  if (found === undefined) throw new AppError('not_found', say('cli_no_such_recipe', { name }))
  return found
}
