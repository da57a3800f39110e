import { create } from 'zustand'
import { raw, say } from '../../../../shared/sentences/sentence.ts'
import { ask } from '../../../store/bridge.ts'
import { chooseFile } from '../../../store/choose-file.ts'
import { errorText, sentenceIn } from '../../../store/error-text.ts'
import type { AnswerTo } from '../data/protocol.ts'
import { useChargers } from '../store/chargers-store.ts'

/** The chargers that the waypoints of a chosen file mean; null while none is looked at. */
export const useFavouritesFile = create<{ found: AnswerTo<'waypoints'> | null }>(() => ({ found: null }))

/** Lets a person choose a GPX or SeeYou file, and shows which chargers it would mark. */
export function chooseFavourites(): void {
  chooseFile({
    accept: '.gpx,.cup',
    tooLarge: (most) => say('places_too_large', { most }),
    unreadable: (why) => say('places_unreadable', { why }),
    take: async (_, data) => {
      const answer = await ask('chargers.readWaypoints', { data })
      if (!answer.ok) return errorText(answer.error)
      try {
        const found = await useChargers.getState().client?.ask('waypoints', { waypoints: answer.value.places })
        useFavouritesFile.setState({ found: found ?? null })
        return null
      } catch (error) {
        return sentenceIn(raw(error instanceof Error ? error.message : String(error)))
      }
    },
  })
}
