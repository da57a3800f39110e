import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from 'i18next'
import { inBackground } from '../bridge/in-background.ts'
import { useShell } from '../store/shell-store.ts'
import { Button } from '../parts/button.tsx'
import { isSameRecipe, freeName } from './recipe-draft.ts'
import { RecipeDialog, type RecipeDialogProps } from './recipe-dialog.tsx'
import { RecipeRow } from './recipe-row.tsx'
import { loadSavedRecipes, takenNames, useSavedRecipes } from './saved-recipes.ts'
import './recipes-section.css'

type Editing = Pick<RecipeDialogProps, 'initial' | 'id' | 'purpose'>

export function RecipesSection() {
  const standard = useShell(({ state }) => state?.settings.recipe ?? null)
  const { recipes, error } = useSavedRecipes()
  const [editing, setEditing] = useState<Editing | null>(null)
  useEffect(() => inBackground(loadSavedRecipes), [])
  if (standard === null) return null
  const taken = [...takenNames(recipes, null), standard.name]
  const edit = (initial: Editing['initial'], id: string | null, purpose: Editing['purpose'] = 'save') =>
    setEditing({ initial, id, purpose })
  return (
    <div className="recipes stack">
      <div className="recipes-buttons row end">
        <Button onClick={() => edit({ ...standard, name: freeName(t('recipe:section.newName'), taken) }, null)}>
          <Plus size={16} aria-hidden />
          {t('recipe:newTitle')}
        </Button>
      </div>
      <ul className="recipes-list">
        <RecipeRow recipe={standard} saved={null} taken={taken} onEdit={edit} />
        {(recipes ?? [])
          .filter(({ recipe }) => !isSameRecipe(recipe, standard))
          .map((saved) => (
            <RecipeRow key={saved.id} recipe={saved.recipe} saved={saved} taken={taken} onEdit={edit} />
          ))}
      </ul>
      {error === null ? null : (
        <p className="field-error row" role="alert">
          {t('recipe:section.failed', { why: error })}
          <Button onClick={() => loadSavedRecipes()}>{t('common:retry')}</Button>
        </p>
      )}
      {editing === null ? null : <RecipeDialog {...editing} onDone={() => setEditing(null)} />}
    </div>
  )
}
