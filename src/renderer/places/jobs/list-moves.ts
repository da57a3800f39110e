import { isHeadName, type JobsIndex } from '../../store/jobs-index.ts'
import { chooseAll, chooseNone, chooseOnly, chooseRange, standOn, toggle } from '../../store/jobs-selection.ts'
import { foldSection, selectJobs, useJobs } from '../../store/jobs-store.ts'
import { useView } from '../../store/view-store.ts'

/** What goes with a click or a key: the Control or Command key, and Shift. */
export interface Modifiers {
  mod: boolean
  shift: boolean
}

export function showDetail(id: string | null): void {
  useView.setState({ openJob: id })
}

/** Where the keyboard is, or -1. */
export function focusItem(): number {
  const { index, selection } = useJobs.getState()
  return index === null || selection.focus === null ? -1 : index.find(selection.focus)
}

/** The range from where it began to `name`. */
function rangeTo(index: JobsIndex, anchor: string | null, name: string): string[] {
  const to = index.find(name)
  const from = anchor === null ? to : index.find(anchor)
  return index.idsBetween(from < 0 ? to : from, to)
}

/** A click, or the keyboard coming to a line. The detail, where it is open, goes along. */
export function goToLine(name: string, { mod, shift }: Modifiers): void {
  const { index, selection } = useJobs.getState()
  if (index === null) return
  if (shift) selectJobs(chooseRange(selection, name, rangeTo(index, selection.anchor, name), mod))
  else if (isHeadName(name)) selectJobs(standOn(name))
  else selectJobs(mod ? toggle(selection, name) : chooseOnly(name))
  if (!isHeadName(name) && !mod && !shift && useView.getState().openJob !== null) showDetail(name)
}

/** Chooses a line on top of others, or not any more, as its check mark does. */
export function toggleLine(id: string): void {
  selectJobs(toggle(useJobs.getState().selection, id))
}

/** Puts the keyboard on a line and leaves what is chosen. */
export function standOnLine(name: string): void {
  const { selection } = useJobs.getState()
  selectJobs({ ...selection, focus: name, anchor: selection.anchor ?? name })
}

export function chooseEverything(): void {
  const { index, selection } = useJobs.getState()
  if (index !== null) selectJobs(chooseAll(selection, index.allIds()))
}

/** True when there was something to let go of. */
export function chooseNothing(): boolean {
  const { selection } = useJobs.getState()
  selectJobs(chooseNone(selection))
  return selection.ids.size > 0
}

export function toggleSection(key: string): void {
  const { index } = useJobs.getState()
  if (index !== null) foldSection(key, !index.isFolded(key))
}

/** The next or previous job of the list, over headers; null at an end. */
export function neighbour(id: string, step: 1 | -1): string | null {
  const { index } = useJobs.getState()
  if (index === null) return null
  const at = index.find(id)
  if (at < 0) return null
  for (let item = at + step; item >= 0 && item < index.itemCount; item += step) {
    const found = index.itemAt(item)
    if (found?.kind === 'job') return found.id
  }
  return null
}

/** The job that Space, Enter and Delete are about: what the keyboard is on. */
export function jobInFocus(): string | null {
  const { focus } = useJobs.getState().selection
  return focus === null || isHeadName(focus) ? null : focus
}

/** The keyboard goes on in the list. */
export function focusList(): void {
  document.querySelector<HTMLElement>('.jobs-scroll')?.focus()
}
