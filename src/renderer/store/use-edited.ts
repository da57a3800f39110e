import { useState } from 'react'

/** What a form edits while another window may change the same. */
export interface Edited<Value> {
  /** As typed. */
  draft: Value
  set: (draft: Value) => void
  /** What the form was filled with, and sends along as seen when it stores. */
  base: Value
  /** What was stored elsewhere in the meantime and the person has not decided about; null if nothing was. */
  theirs: Value | null
  takeTheirs: () => void
  /** What was stored counts as seen; storing the draft replaces it. */
  keepMine: () => void
  /** The draft that `takeTheirs` replaced; null if there is none. */
  replaced: Value | null
  backToMine: () => void
}

/**
 * A draft of what is stored. It follows what is stored as long as a person has changed nothing; after that, a change by another
 * window is offered, and the draft stays. `isSame` decides what counts as a change.
 */
export function useEdited<Value>(stored: Value, isSame: (one: Value, other: Value) => boolean): Edited<Value> {
  const [held, setHeld] = useState<{ base: Value; draft: Value; replaced: Value | null }>({
    base: stored,
    draft: stored,
    replaced: null,
  })
  let now = held
  const isChanged = !isSame(stored, held.base)
  const follows = isSame(held.draft, held.base) || isSame(held.draft, stored)
  if (isChanged && follows) {
    now = { ...held, base: stored, draft: isSame(held.draft, stored) ? held.draft : stored }
    setHeld(now)
  }
  return {
    draft: now.draft,
    set: (draft) => setHeld({ ...now, draft, replaced: null }),
    base: now.base,
    theirs: isChanged && !follows ? stored : null,
    takeTheirs: () => setHeld({ base: stored, draft: stored, replaced: now.draft }),
    keepMine: () => setHeld({ ...now, base: stored }),
    replaced: now.replaced,
    backToMine: () => setHeld({ base: stored, draft: now.replaced ?? now.draft, replaced: null }),
  }
}

/** For single-line texts. */
export const isSameText = (one: string, other: string) => one.trim() === other.trim()
