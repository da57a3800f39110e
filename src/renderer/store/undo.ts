import i18next from 'i18next'
import { inBackground } from './in-background.ts'
import { dismissToast, showToast } from '../ui/toasts.tsx'

/** More than a person remembers having done. */
const MOST_KEPT = 100

const done: (() => void)[] = []

/**
 * Says what was done, with a way back: on the toast while it is there, and by the keys of `undoLast` as long as the window is.
 * Returns the way back; it works once.
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
  if (done.length > MOST_KEPT) done.shift()
  const shown = showToast(text, { action: { label: i18next.t('common:undo'), run: back } })
  return back
}

/** Takes back what was done last; false when there is nothing. */
export function undoLast(): boolean {
  const back = done.at(-1)
  back?.()
  return back !== undefined
}
