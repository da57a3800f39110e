import { create } from 'zustand'
import { raw } from '../../../../shared/sentences/sentence.ts'
import { sentenceIn } from '../../../store/error-text.ts'
import { chooseWaypoints } from '../../../store/own-places.ts'
import type { AnswerTo } from '../data/protocol.ts'
import { useChargers } from '../store/chargers-store.ts'

/** The chargers that the waypoints of a chosen file mean; null while none is looked at. */
export const useFavouritesFile = create<{ found: AnswerTo<'waypoints'> | null }>(() => ({ found: null }))

/** Lets a person choose a file, and shows which chargers it would mark. */
export function chooseFavourites(): void {
  chooseWaypoints(async (waypoints) => {
    try {
      const found = await useChargers.getState().client?.ask('waypoints', { waypoints })
      useFavouritesFile.setState({ found: found ?? null })
      return null
    } catch (error) {
      return sentenceIn(raw(error instanceof Error ? error.message : String(error)))
    }
  })
}
