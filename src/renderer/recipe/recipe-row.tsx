import { Copy, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { RecipeSummary } from './recipe-summary.tsx'
import { useShell } from '../store/shell-store.ts'
import { IconButton } from '../parts/button.tsx'
import type { MenuItem } from '../parts/menu-behind-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { freeName } from './recipe-draft.ts'
import { type SavedRecipe, loadSavedRecipes, saveRecipe } from './saved-recipes.ts'
import { recipeName } from './recipe-name.ts'
import { askOrToast } from '../store/bridge.ts'
import { errorText } from '../store/error-text.ts'
import { toastWithUndo, toast } from '../store/toasts.ts'

const ICON = { size: 16, 'aria-hidden': true } as const

interface RecipeRowProps {
  recipe: UiRecipe
  /** Null for the default one, which can be changed but not removed. */
  saved: SavedRecipe | null
  /** The names that a copy cannot have. */
  taken: readonly string[]
  onEdit: (initial: UiRecipe, id: string | null, purpose?: 'save' | 'default') => void
}

export function RecipeRow(given: RecipeRowProps) {
  const { recipe, saved, onEdit } = given
  const name = recipeName(recipe.name)
  const edit = () => onEdit(recipe, saved?.id ?? null, saved === null ? 'default' : 'save')
  const items = useRecipeMenu(given, edit)
  return (
    <li className="recipes-row">
      <button type="button" className="recipes-open" onClick={edit} aria-description={t('recipe:choice.edit')}>
        <span className="recipes-name row single">
          <bdi className="ellipsis" title={name}>
            {name}
          </bdi>
          {saved === null ? <span className="badge">{t('recipe:section.default')}</span> : null}
        </span>
        <RecipeSummary recipe={recipe} />
      </button>
      <Menu items={items}>
        <IconButton label={t('recipe:section.more', { name })}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu>
    </li>
  )
}

function useRecipeMenu({ recipe, saved, taken, onEdit }: RecipeRowProps, edit: () => void): (MenuItem | null)[] {
  const standard = useShell(({ state }) => state?.settings.recipe ?? null)
  const copyName = t('recipe:section.copyName', { name: recipeName(recipe.name) })
  const items: (MenuItem | null)[] = [
    { label: t('recipe:choice.edit'), icon: <Pencil {...ICON} />, onSelect: edit },
    {
      label: t('recipe:section.duplicate'),
      icon: <Copy {...ICON} />,
      onSelect: () => onEdit({ ...recipe, name: freeName(copyName, taken) }, null),
    },
  ]
  if (saved === null || standard === null) return items
  return [
    ...items,
    {
      label: t('recipe:section.makeDefault'),
      icon: <Star {...ICON} />,
      onSelect: () => makeDefault(saved, standard, taken),
    },
    null,
    {
      label: t('common:remove'),
      icon: <Trash2 {...ICON} />,
      danger: true,
      onSelect: () => removeRecipe(saved),
    },
  ]
}

async function removeRecipe({ id, recipe }: SavedRecipe): Promise<void> {
  const removed = await askOrToast('recipes.remove', { id })
  await loadSavedRecipes()
  if (removed === null) return
  const undo = async () => {
    const back = await saveRecipe(null, recipe)
    if (!back.ok) toast(errorText(back.error), { bad: true })
  }
  toastWithUndo(t('recipe:section.removed', { name: recipeName(recipe.name) }), undo)
}

/** Swaps them. Saves before it removes: a failure in between leaves a recipe twice rather than not at all. */
async function makeDefault(saved: SavedRecipe, before: UiRecipe, taken: readonly string[]): Promise<void> {
  const others = taken.filter((name) => name !== before.name)
  const kept = await saveRecipe(null, { ...before, name: freeName(before.name, others) })
  if (!kept.ok) return toast(errorText(kept.error), { bad: true })
  const done = await askOrToast('settings.set', { recipe: saved.recipe })
  await askOrToast('recipes.remove', { id: done === null ? kept.value.id : saved.id })
  await loadSavedRecipes()
}
