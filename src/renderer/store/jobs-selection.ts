/** The selected lines and the keyboard focus. Items are named as in `JobsIndex.names`. */
export interface Selection {
  ids: ReadonlySet<string>
  /** Where a range begins. */
  anchor: string | null
  /** The line with the keyboard focus; may be a header, which is never among `ids`. */
  focus: string | null
}

export const NOTHING_CHOSEN: Selection = { ids: new Set(), anchor: null, focus: null }

export function chooseOnly(id: string): Selection {
  return { ids: new Set([id]), anchor: id, focus: id }
}

export function standOn(name: string): Selection {
  return { ids: new Set(), anchor: name, focus: name }
}

export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id, focus: id }
}

/** Selects a range; `keep` adds it to the selection instead of replacing it. `range` has the ids from the anchor to `focus`. */
export function chooseRange(before: Selection, focus: string, range: readonly string[], keep: boolean): Selection {
  return { ids: new Set(keep ? [...before.ids, ...range] : range), anchor: before.anchor ?? focus, focus }
}

export function chooseAll({ focus, anchor }: Selection, ids: readonly string[]): Selection {
  return { ids: new Set(ids), anchor: anchor ?? ids[0] ?? null, focus: focus ?? ids[0] ?? null }
}

export function chooseNone({ focus }: Selection): Selection {
  return { ids: new Set(), anchor: focus, focus }
}

/** After jobs left the list: deselects them and moves the focus to `next`. */
export function without(before: Selection, gone: ReadonlySet<string>, next: string | null): Selection {
  const ids = new Set([...before.ids].filter((id) => !gone.has(id)))
  const focus = before.focus !== null && gone.has(before.focus) ? next : before.focus
  const anchor = before.anchor !== null && gone.has(before.anchor) ? focus : before.anchor
  return { ids, anchor, focus }
}
