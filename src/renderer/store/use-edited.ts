import { useState } from 'react'

/** A draft that follows what is stored until a person changes it; then it stays, and storing it replaces what is there. */
export function useEdited<Value>(stored: Value, isSame: (one: Value, other: Value) => boolean) {
  const [held, setHeld] = useState({ stored, base: stored, draft: stored })
  let now = held
  if (!isSame(stored, held.stored)) {
    now = { stored, base: stored, draft: isSame(held.draft, held.base) ? stored : held.draft }
    setHeld(now)
  }
  return {
    draft: now.draft,
    set: (draft: Value) => setHeld((last) => ({ ...last, draft })),
    /** What is stored, or about to be. */
    base: now.base,
    isChanged: !isSame(now.draft, now.base),
    /** Stores `value` with `send`, which resolves to whether it was stored; meanwhile it counts as stored. */
    store: async (value: Value, send: () => Promise<boolean>) => {
      setHeld((last) => ({ ...last, base: value }))
      if (!(await send())) setHeld((last) => ({ ...last, base: last.stored }))
    },
  }
}

/** For single-line texts. */
export const isSameText = (one: string, other: string) => one.trim() === other.trim()
