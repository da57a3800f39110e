import { useEffect, useState } from 'react'
import type { IntakePreview } from '../../shared/contract.ts'
import type { Place, UiRecipe } from '../../shared/ui-contract.ts'
import { ask } from '../store/bridge.ts'
import { inBackground } from '../store/in-background.ts'
import { errorText } from '../text/error-text.ts'

export interface PreviewState {
  /** The last answer; of the recipe before while `isLooking`. */
  preview: IntakePreview | null
  isLooking: boolean
  error: string | null
}

/** What the places would mean by a recipe. `again` asks once more. */
export function usePreview(places: readonly Place[], recipe: UiRecipe): PreviewState & { again: () => void } {
  const [shown, setShown] = useState<PreviewState>({ preview: null, isLooking: true, error: null })
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isOld = false
    setShown((before) => ({ ...before, isLooking: true, error: null }))
    inBackground('intake.preview', () =>
      ask('intake.preview', { tokens: places.map(({ token }) => token), recipe }).then((result) => {
        if (isOld) return
        setShown(
          result.ok
            ? { preview: result.value, isLooking: false, error: null }
            : { preview: null, isLooking: false, error: errorText(result.error) },
        )
      }),
    )
    return () => {
      isOld = true
    }
  }, [places, recipe, round])
  return { ...shown, again: () => setRound((before) => before + 1) }
}
