import { Copy, Download, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { UiRecipe } from '../../shared/contract/places.ts'
import { RecipeSummary } from './recipe-picker.tsx'
import { inBackground } from '../bridge/in-background.ts'
import { useFixed } from '../store/use-fixed.ts'
import { useShell } from '../store/shell-store.ts'
import { IconButton } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { freeName } from './recipe-draft.ts'
import { exportRecipe, makeDefault, removeRecipe } from './recipe-actions.ts'
import type { SavedRecipe } from './saved-recipes.ts'
import { recipeName } from './recipe-name.ts'

const ICON = { size: 16, 'aria-hidden': true } as const

/** One recipe of the list; `saved` is null for the default one, which can be changed but not removed. */
export function RecipeRow(given: {
  recipe: UiRecipe
  saved: SavedRecipe | null
  taken: readonly string[]
  onEdit: (initial: UiRecipe, id: string | null, purpose?: 'save' | 'default') => void
}) {
  const { recipe, saved, taken, onEdit } = given
  const { t } = useTranslation(['recipe', 'common'])
  const standard = useShell(({ state }) => state?.settings.recipe ?? null)
  const isFixed = useFixed(['recipe']) !== null
  const name = recipeName(recipe.name)
  const edit = () => onEdit(recipe, saved?.id ?? null, saved === null ? 'default' : 'save')
  const duplicate = () => onEdit({ ...recipe, name: freeName(t('section.copyName', { name }), taken) }, null)
  return (
    <li className="recipes-row">
      <button
        type="button"
        className="recipes-open"
        onClick={edit}
        disabled={isFixed && saved === null}
        aria-description={t('choice.edit')}
      >
        <span className="recipes-name">
          <bdi className="ellipsis" title={name}>
            {name}
          </bdi>
          {saved === null ? <span className="recipes-default">{t('section.default')}</span> : null}
        </span>
        <RecipeSummary recipe={recipe} />
      </button>
      <Menu
        items={[
          ...(isFixed && saved === null
            ? []
            : [{ label: t('choice.edit'), icon: <Pencil {...ICON} />, onSelect: edit }]),
          { label: t('section.duplicate'), icon: <Copy {...ICON} />, onSelect: duplicate },
          {
            label: t('section.export'),
            icon: <Download {...ICON} />,
            onSelect: () => inBackground('recipe-row.export', () => exportRecipe(recipe, t)),
          },
          ...(saved === null || standard === null
            ? []
            : [
                ...(isFixed
                  ? []
                  : [
                      {
                        label: t('section.makeDefault'),
                        icon: <Star {...ICON} />,
                        onSelect: () =>
                          inBackground('recipe-row.makeDefault', () => makeDefault(saved, standard, taken, t)),
                      },
                    ]),
                null,
                {
                  label: t('common:remove'),
                  icon: <Trash2 {...ICON} />,
                  danger: true,
                  onSelect: () => inBackground('recipe-row.removeRecipe', () => removeRecipe(saved, t)),
                },
              ]),
        ]}
      >
        <IconButton label={t('section.more', { name })}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu>
    </li>
  )
}
