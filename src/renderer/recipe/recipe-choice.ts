import { useEffect } from 'react'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { recipeName, SHIPPED_NAME } from './recipe-name.ts'
import { withOperation } from './recipe-draft.ts'
import { loadSavedRecipes, useSavedRecipes } from './saved-recipes.ts'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'

export interface RecipeChoice {
  /** Null for the default one, which is in the settings; the name of a preset; `UNSAVED` for one that is for this time only. */
  id: string | null
  recipe: UiRecipe
}

export const UNSAVED = ''

/** What Hangar offers: the default recipe, but for what is made. */
const PRESETS = {
  web: { operation: 'process', format: 'webp' },
  smaller: { operation: 'optimize' },
  texts: { operation: 'analyze' },
  avif: { operation: 'process', format: 'avif' },
} as const
type Preset = keyof typeof PRESETS
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[]

const isPreset = ({ id }: RecipeChoice): boolean => id !== null && id in PRESETS

/** The preset that makes what this recipe makes; null for none. */
export function presetOf({ operation, format }: UiRecipe): Preset | null {
  const isLike = (made: { operation: string; format?: string }) =>
    made.operation === operation && (made.format ?? format) === format
  return PRESET_NAMES.find((name) => isLike(PRESETS[name])) ?? null
}

export function withPreset(recipe: UiRecipe, preset: Preset): UiRecipe {
  const made = PRESETS[preset]
  return withOperation({ ...recipe, ...made }, made.operation)
}

/** A recipe's name where it stands beside the presets: the one that Hangar comes with is one of them. */
export function choiceName(recipe: UiRecipe): string {
  const preset = recipe.name === SHIPPED_NAME ? presetOf(recipe) : null
  return preset === null ? recipeName(recipe.name) : t(`common:presets.${preset}`)
}

/** The default recipe, the saved ones, fetched again at each mount, and the presets that make something else. */
export function useRecipes(): readonly RecipeChoice[] {
  const standard = useShell(({ state }) => state?.settings.recipe)
  const saved = useSavedRecipes(({ recipes }) => recipes) ?? []
  useEffect(() => inBackground(loadSavedRecipes), [])
  if (standard === undefined) return saved
  const others = PRESET_NAMES.filter((name) => name !== presetOf(standard))
  const presets = others.map((id) => ({ id, recipe: { ...withPreset(standard, id), name: t(`common:presets.${id}`) } }))
  return [{ id: null, recipe: standard }, ...saved, ...presets]
}

/** As a person chooses among them: the presets, one of which may be the default recipe, then the others. */
export function inCardOrder(known: readonly RecipeChoice[]): RecipeChoice[] {
  const place = (choice: RecipeChoice) => {
    const preset = choice.id === null || isPreset(choice) ? presetOf(choice.recipe) : null
    return preset === null ? PRESET_NAMES.length : PRESET_NAMES.indexOf(preset)
  }
  return known.toSorted((one, other) => place(one) - place(other))
}
