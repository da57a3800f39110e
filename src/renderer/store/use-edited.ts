import { useState } from 'react'

/** What a form edits. */
interface Edited<Value> {
  /** As typed. */
  draft: Value
  set: (draft: Value) => void
  /** What is stored, or about to be. */
  base: Value
  /** Whether the draft is not stored. */
  isChanged: boolean
  /** Stores `value` with `send`, which resolves to whether it was stored; meanwhile it counts as stored. */
  store: (value: Value, send: () => Promise<boolean>) => Promise<void>
}

/**
 * A draft of what is stored. It follows what is stored, whichever window stored it, as long as a person has changed nothing; after that it
 * stays, and storing it replaces what is there. `isSame` decides what counts as a change.
 */
export function useEdited<Value>(stored: Value, isSame: (one: Value, other: Value) => boolean): Edited<Value> {
  const [held, setHeld] = useState({ stored, base: stored, draft: stored })
  let now = held
  if (!isSame(stored, held.stored)) {
    now = { stored, base: stored, draft: isSame(held.draft, held.base) ? stored : held.draft }
    setHeld(now)
  }
  return {
    draft: now.draft,
    set: (draft) => setHeld((last) => ({ ...last, draft })),
    base: now.base,
    isChanged: !isSame(now.draft, now.base),
    store: async (value, send) => {
      setHeld((last) => ({ ...last, base: value }))
      if (!(await send())) setHeld((last) => ({ ...last, base: last.stored }))
    },
  }
}

/** For single-line texts. */
export const isSameText = (one: string, other: string) => one.trim() === other.trim()
