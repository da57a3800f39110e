import { useState } from 'react'

/** What a form edits while another window may change the same. */
export interface Edited<Value> {
  /** As typed. */
  draft: Value
  set: (draft: Value) => void
  /** What the form was filled with, or has stored since; it sends that along as seen when it stores. */
  base: Value
  /** What was stored elsewhere in the meantime and the person has not decided about; null if nothing was. */
  theirs: Value | null
  takeTheirs: () => void
  /** What was stored counts as seen; storing the draft replaces it. */
  keepMine: () => void
  /** The draft that `takeTheirs` replaced; null if there is none. */
  replaced: Value | null
  backToMine: () => void
  /**
   * Stores `value` with `send`, which resolves to whether it was stored. When it appears as stored, that is no change by another
   * window, whatever was typed meanwhile.
   */
  store: (value: Value, send: (seen: Value) => Promise<boolean>) => Promise<void>
}

interface Held<Value> {
  base: Value
  draft: Value
  replaced: Value | null
  /** What this form stores and what is stored does not show yet, oldest first. */
  sent: readonly Value[]
}

/**
 * A draft of what is stored. It follows what is stored as long as a person has changed nothing; after that, a change by another
 * window is offered, and the draft stays. `isSame` decides what counts as a change.
 */
export function useEdited<Value>(stored: Value, isSame: (one: Value, other: Value) => boolean): Edited<Value> {
  const [held, setHeld] = useState<Held<Value>>({ base: stored, draft: stored, replaced: null, sent: [] })
  const now = followed(held, stored, isSame)
  if (now !== held) setHeld(now)
  const base = now.sent.at(-1) ?? now.base
  return {
    draft: now.draft,
    set: (draft) => setHeld({ ...now, draft, replaced: null }),
    base,
    theirs: isSame(stored, now.base) ? null : stored,
    takeTheirs: () => setHeld({ base: stored, draft: stored, replaced: now.draft, sent: [] }),
    keepMine: () => setHeld({ ...now, base: stored, sent: [] }),
    replaced: now.replaced,
    backToMine: () => setHeld({ base: stored, draft: now.replaced ?? now.draft, replaced: null, sent: [] }),
    store: async (value, send) => {
      setHeld((last) => ({ ...last, sent: isSame(value, last.base) ? [] : [...last.sent, value] }))
      if (!(await send(base))) setHeld((last) => ({ ...last, sent: last.sent.filter((one) => one !== value) }))
    },
  }
}

/** What is held once `stored` was seen. */
function followed<Value>(held: Held<Value>, stored: Value, isSame: (one: Value, other: Value) => boolean): Held<Value> {
  if (isSame(stored, held.base)) return held
  const own = held.sent.findIndex((value) => isSame(value, stored))
  if (own >= 0) return { ...held, base: stored, sent: held.sent.slice(own + 1) }
  if (isSame(held.draft, stored)) return { ...held, base: stored }
  return isSame(held.draft, held.base) ? { ...held, base: stored, draft: stored } : held
}

/** A single line as it is stored; null for none. */
export const lineIn = (typed: string): string | null => typed.trim() || null

/** For single-line texts. */
export const isSameText = (one: string, other: string) => one.trim() === other.trim()
