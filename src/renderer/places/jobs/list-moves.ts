import { isHeadName, type JobsIndex } from '../../store/jobs-index.ts'
import { chooseAll, chooseNone, chooseOnly, chooseRange, standOn, toggle } from '../../store/jobs-selection.ts'
import { selectJobs, useJobs } from '../../store/jobs-store.ts'
import { useView } from '../../store/view-store.ts'
import { useTextWork } from '../../store/text-work.ts'

export function showDetail(id: string | null): void {
  useView.setState({ openJob: id })
}

/** The index of the focused item, or -1. */
export function focusItem(): number {
  const { index, selection } = useJobs.getState()
  return index === null || selection.focus === null ? -1 : index.find(selection.focus)
}

function rangeTo(index: JobsIndex, anchor: string | null, name: string): string[] {
  const to = index.find(name)
  const from = anchor === null ? to : index.find(anchor)
  return index.idsBetween(from < 0 ? to : from, to)
}

/** Handles a click on a line, or the focus moving to it. An open detail follows. `mod`: Control, or Command on macOS. */
export function goToLine(name: string, { mod, shift }: { mod: boolean; shift: boolean }): void {
  const { index, selection } = useJobs.getState()
  if (index === null) return
  if (shift) selectJobs(chooseRange(selection, name, rangeTo(index, selection.anchor, name), mod))
  else if (isHeadName(name)) selectJobs(standOn(name))
  else selectJobs(mod ? toggle(selection, name) : chooseOnly(name))
  if (!isHeadName(name) && !mod && !shift && useView.getState().openJob !== null) showDetail(name)
}

export function toggleLine(id: string): void {
  selectJobs(toggle(useJobs.getState().selection, id))
}

export function standOnLine(name: string): void {
  const { selection } = useJobs.getState()
  selectJobs({ ...selection, focus: name, anchor: selection.anchor ?? name })
}

export function chooseEverything(): void {
  const { index, selection } = useJobs.getState()
  if (index !== null) selectJobs(chooseAll(selection, index.allIds()))
}

/** Clears the selection; true if there was one. */
export function chooseNothing(): boolean {
  const { selection } = useJobs.getState()
  selectJobs(chooseNone(selection))
  return selection.ids.size > 0
}

/** The focused job, to which Space, Enter and Delete apply. */
export function jobInFocus(): string | null {
  const { focus } = useJobs.getState().selection
  return focus === null || isHeadName(focus) ? null : focus
}

export function focusList(): void {
  document.querySelector<HTMLElement>('.jobs-grid')?.focus()
}

/** The picture `by` places after this one among those under review, or else in the list; null past an end. */
export function pictureAt(id: string, by: number): string | null {
  const { review } = useTextWork.getState()
  const at = review?.indexOf(id) ?? -1
  if (review !== null && at >= 0) return review[at + by] ?? null
  const names = useJobs.getState().index?.names ?? []
  let item = names.indexOf(id)
  if (item < 0) return by === 0 ? id : null
  for (let n = 0; n < Math.abs(by); n += 1)
    do item += Math.sign(by)
    while (isHeadName(names[item] ?? ''))
  return names[item] ?? null
}
