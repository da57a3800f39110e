import { basename } from 'node:path'
import type { EngineResponse } from '../../../shared/contract/calls.ts'
import { SavedRecipe } from '../../../shared/contract/recipes.ts'
import type { Job } from '../../../shared/jobs/job.ts'
import type { Recipe } from '../../../shared/recipes/recipe.ts'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { collisionKey } from '../../core/naming.ts'
import { makesNothing, planWork } from '../../core/plan-work.ts'
import { recipeExample } from '../../core/recipe-example.ts'
import { ExpectedOutputs } from '../../intake/expected-outputs.ts'
import type { DecisionContext } from '../../queue/context.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

const KIND = 'recipe'

/** Saved recipes, sorted by name. */
export function recipeCalls({ context, documents, makeId, emit }: CallsDeps): HandlersOf<'recipes'> {
  const saved = () => documents.list(KIND, SavedRecipe).map(({ value }) => value)
  return {
    'recipes.list': () => ({ recipes: saved().sort((a, b) => a.recipe.name.localeCompare(b.recipe.name)) }),
    'recipes.save': ({ id, recipe }) => {
      const name = recipe.name.trim()
      if (name === '') throw new AppError('bad_request', say('recipe_without_name'))
      const taken = saved().some((other) => other.id !== id && collisionKey(other.recipe.name) === collisionKey(name))
      if (taken) throw new AppError('name_taken', say('recipe_name_taken', { name }))
      const entry: SavedRecipe = { id: id ?? makeId(), recipe: { ...recipe, name } }
      documents.put(KIND, entry.id, entry)
      emit({ type: 'stored', what: 'recipes' })
      return entry
    },
    'recipes.remove': ({ id }) => {
      documents.remove(KIND, id)
      emit({ type: 'stored', what: 'recipes' })
    },
    'recipes.example': ({ recipe, names }) => ({
      examples: names.map((name, index) => ({ source: name, ...recipeExample(recipe, basename(name), index + 1) })),
    }),
    'recipes.names': async ({ recipe }) => ({ pictures: await namesOfLatest(context, recipe) }),
  }
}

const PICTURES = 10
/** How many jobs are looked at for them: one picture may have several. */
const LOOKED_AT = 100
const byName = new Intl.Collator('en', { numeric: true }).compare

/** The latest pictures in the order of their paths, as a run takes them in. */
async function namesOfLatest(context: DecisionContext, recipe: Recipe): Promise<NamesOfLatest> {
  const expected = new ExpectedOutputs(context)
  const latest = new Map<string, Job>()
  for (const job of context.store.list({ newestFirst: true, limit: LOOKED_AT }))
    if (job.image !== null && latest.size < PICTURES && !latest.has(job.source.path)) latest.set(job.source.path, job)
  const pictures: NamesOfLatest = []
  for (const { named: _, ...job } of [...latest.values()].toSorted((a, b) => byName(a.source.path, b.source.path))) {
    const plan = planWork(recipe, job.image!)
    if ('cannot' in plan || makesNothing(plan)) continue
    const { explained } = await expected.of({ ...job, recipe }, plan)
    if (explained.length > 0) pictures.push({ source: basename(job.source.path), results: explained })
  }
  return pictures
}

type NamesOfLatest = EngineResponse<'recipes.names'>['pictures']
