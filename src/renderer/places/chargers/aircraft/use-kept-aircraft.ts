import { useState } from 'react'
import type { Aircraft } from '../../../../shared/chargers/route/aircraft.ts'
import type { Edited } from '../../../store/use-edited.ts'
import { figuresOf, isSameAircraft, useAircraft, type NamedAircraft } from './use-aircraft.ts'

/**
 * The saved aircraft that the figures shown started from, as a person has seen it, and what another window has made of it since:
 * `changed` names the figures. `known` is the aircraft that has the figures now.
 */
export function useKeptAircraft(
  aircraft: Aircraft | null,
  known: NamedAircraft | null,
  onAircraft: (aircraft: Aircraft) => void,
): {
  kept: NamedAircraft | null
  edited: Pick<Edited<Aircraft>, 'theirs' | 'takeTheirs' | 'keepMine' | 'replaced' | 'backToMine'>
  changed: readonly (keyof Aircraft)[]
} {
  const { all } = useAircraft()
  const [held, setHeld] = useState<{ kept: NamedAircraft | null; replaced: Aircraft | null }>({
    kept: null,
    replaced: null,
  })
  const own = known?.isExample === true ? null : known
  const kept = aircraft === null || known?.isExample === true ? null : (own ?? held.kept)
  if (kept?.id !== held.kept?.id || (kept !== null && held.kept !== null && !isSameAircraft(kept, held.kept)))
    setHeld({ kept, replaced: kept?.id === held.kept?.id ? held.replaced : null })
  const stored = all.find(({ id }) => id === kept?.id) ?? null
  const theirs = kept === null || stored === null || isSameAircraft(kept, stored) ? null : stored
  return {
    kept,
    changed: theirs === null || kept === null ? [] : changedFigures(figuresOf(kept), figuresOf(theirs)),
    edited: {
      theirs,
      takeTheirs: () => {
        setHeld({ kept: stored, replaced: aircraft })
        if (stored !== null) onAircraft(figuresOf(stored))
      },
      keepMine: () => setHeld({ kept: stored, replaced: null }),
      // Not once the figures are others again.
      replaced: own === null ? null : held.replaced,
      backToMine: () => {
        setHeld({ kept, replaced: null })
        if (held.replaced !== null) onAircraft(held.replaced)
      },
    },
  }
}

function changedFigures(before: Aircraft, after: Aircraft): (keyof Aircraft)[] {
  const names = Object.keys(before) as (keyof Aircraft)[]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}
