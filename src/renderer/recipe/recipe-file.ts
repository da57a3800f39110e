import type { UiRecipe } from '../../shared/contract/places.ts'

/** Marks a file as a recipe; other numbers are of later versions. */
const MARK = 1
const LONGEST_FILE = 100_000
const MAX_LETTERS = 60

/** A recipe as a file for other computers: without file tokens and paths. */
export function recipeFile(recipe: UiRecipe): { filename: string; text: string } {
  const text = JSON.stringify({ hangarRecipe: MARK, recipe: withoutFolder(recipe) }, null, 2)
  return { filename: `${fileStem(recipe.name) || 'recipe'}.hangar-recipe.json`, text: `${text}\n` }
}

/** A name for a file without its ending: letters and digits of any script, with dashes between. */
function fileStem(name: string): string {
  const stem = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  return [...stem].slice(0, MAX_LETTERS).join('')
}

function withoutFolder(recipe: UiRecipe): UiRecipe {
  return recipe.output.kind === 'folder' ? { ...recipe, output: { kind: 'beside' } } : recipe
}

export type ReadRecipe =
  | {
      ok: true
      /** Only partly validated here; saving validates the rest. */
      recipe: UiRecipe
      /** It had an output folder, which does not exist on this computer. */
      lostFolder: boolean
    }
  | { ok: false; why: 'too_long' | 'not_json' | 'not_recipe' | 'newer' }

/** Reads a file of `recipeFile`, or a bare recipe. Untrusted: unknown members are dropped. */
export function readRecipeFile(text: string): ReadRecipe {
  if (text.length > LONGEST_FILE) return { ok: false, why: 'too_long' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, why: 'not_json' }
  }
  if (!isObject(value)) return { ok: false, why: 'not_recipe' }
  if ('hangarRecipe' in value && value['hangarRecipe'] !== MARK) return { ok: false, why: 'newer' }
  const found = 'hangarRecipe' in value ? value['recipe'] : value
  if (!isObject(found) || typeof found['name'] !== 'string' || typeof found['operation'] !== 'string')
    return { ok: false, why: 'not_recipe' }
  const lostFolder = isObject(found['output']) && found['output']['kind'] === 'folder'
  const output = lostFolder ? { kind: 'beside' } : found['output']
  return { ok: true, recipe: { ...found, output } as unknown as UiRecipe, lostFolder }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
