import { useEffect, useState } from 'react'
import type { ChargerPast } from '../../../../shared/chargers/charger-status.ts'
import { ask } from '../../../store/bridge.ts'
import { inBackground } from '../../../bridge/in-background.ts'
import { useChargers } from '../store/chargers-store.ts'

/** A charger's recorded history; null until the answer arrives, and if no refresh has found it. Requested again with each new set. */
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
