import { useEffect, useState } from 'react'
import type { ChargerPast } from '../../../../shared/charger-status.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../store/in-background.ts'
import { useChargers } from '../store/chargers-store.ts'

/** What refreshes found of a charger; null before the answer and for one that none has found. Asked again with each set of chargers. */
export function usePast(id: number): ChargerPast | null {
  const version = useChargers((view) => view.version)
  const [known, setKnown] = useState<{ id: number; past: ChargerPast | null } | null>(null)
  useEffect(() => {
    let isCurrent = true
    inBackground('use-past.ask', () =>
      ask('chargers.past', { id }).then((answer) => {
        if (isCurrent && answer.ok) setKnown({ id, past: answer.value.past ?? null })
      }),
    )
    return () => {
      isCurrent = false
    }
  }, [id, version])
  return known?.id === id ? known.past : null
}
