import { Copy, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react'
import { t } from 'i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { RecipeSummary } from './recipe-summary.tsx'
import { useShell } from '../store/shell-store.ts'
import { IconButton } from '../parts/button.tsx'
import type { MenuItem } from '../parts/menu-behind-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { freeName } from './recipe-draft.ts'
import { makeDefault, removeRecipe } from './recipe-actions.ts'
import type { SavedRecipe } from './saved-recipes.ts'
import { recipeName } from './recipe-name.ts'

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
