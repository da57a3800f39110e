import type { UiRecipe } from '../../shared/ui-contract.ts'
import { RecipeForm, type RecipeFormProps } from './recipe-form.tsx'
import { RecipePreview } from './recipe-preview.tsx'
import './recipe-editor.css'

/** A recipe as a form, and beside it (below it where there is no room) what it would do. `names` are real file names. */
export function RecipeEditor({
  names = [],
  ...form
}: RecipeFormProps & { draft: UiRecipe; names?: readonly string[] }) {
  return (
    <div className="recipe-editor">
      <div className="recipe-columns">
        <RecipeForm {...form} />
        <RecipePreview draft={form.draft} names={names} />
      </div>
    </div>
  )
}
