import type { Place, UiRecipe } from '../../shared/contract/places.ts'
import { showOverlay } from '../store/view-store.ts'
import type { RefusedUpload } from '../bridge/connection.ts'

/** Shows the preview of an intake. `recipe` null starts with the default one. */
export function offerIntake(
  places: readonly Place[],
  recipe: UiRecipe | null = null,
  leftOut: readonly RefusedUpload[] = [],
): void {
  if (places.length > 0) showOverlay({ kind: 'intake', places, recipe, leftOut })
}
