import i18next from 'i18next'
import { inBackground } from '../bridge/in-background.ts'
import { dismissToast, showToast } from './toasts.ts'

/** More than a person is likely to undo. */
const MAX_KEPT = 100

const done: (() => void)[] = []

/**
 * Shows what was done, with undo: on the toast while it is visible, and by the `undoLast` shortcut while the window is open.
 * Returns the undo function, which works once.
 */
export function toastWithUndo(text: string, undo: () => unknown): () => void {
  const back = () => {
    const at = done.indexOf(back)
    if (at < 0) return
    done.splice(at, 1)
    dismissToast(shown)
    inBackground('undo', undo)
  }
  done.push(back)
  if (done.length > MAX_KEPT) done.shift()
  const shown = showToast(text, { action: { label: i18next.t('common:undo'), run: back } })
  return back
}

/** Undoes the last action; false when there is none. */
export function undoLast(): boolean {
  const back = done.at(-1)
  back?.()
  return back !== undefined
}
