import { undoLast } from '../store/undo.ts'
import { showOverlay, goTo } from '../store/view-store.ts'
import { isTypedIn, useShortcut } from './use-shortcut.ts'

/** The keys that work wherever one is. Places add their own. */
export function useGlobalShortcuts(): void {
  useShortcut('mod+1', () => goTo('jobs'))
  useShortcut('mod+2', () => goTo('folders'))
  useShortcut('mod+3', () => goTo('credits'))
  useShortcut('mod+4', () => goTo('chargers'))
  useShortcut('mod+5', () => goTo('settings'))
  useShortcut('mod+,', () => goTo('settings'))
  useShortcut('mod+k', () => showOverlay({ kind: 'palette' }))
  // Where a person types, the field takes back what was typed.
  useShortcut('mod+z', ({ target }) => !isTypedIn(target) && undoLast())
  useShortcut('?', () => showOverlay({ kind: 'shortcuts' }))
  // Where a person types, “?” is a letter of theirs.
  useShortcut('f1', () => showOverlay({ kind: 'shortcuts' }))
}
