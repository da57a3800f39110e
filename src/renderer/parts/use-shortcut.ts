import { useEffect, useRef } from 'react'
import { useView } from '../store/view-store.ts'
import { isApple, matchesKeys } from './shortcut-keys.ts'

/** Returning false passes the key press on to the handler registered earlier for the same keys. */
type ShortcutHandler = (event: KeyboardEvent) => boolean | void

interface Entry {
  keys: string
  run: ShortcutHandler
}

/** Newest last: the component shown last gets a key press first. */
const entries: Entry[] = []

const TYPED_IN = 'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])'
const PRESSED = 'button, a[href], summary, input, [role=menuitem], [role=option]'

/** Whether the target of a key press is a text field. */
export function isTypedIn(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPED_IN)
}

/** Whether the focused element needs the key itself: for typing, or Space and Enter on a button. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return false
  if (event.target.matches(TYPED_IN)) return !/^(Escape|F\d+)$/.test(event.key)
  return (event.key === ' ' || event.key === 'Enter') && event.target.matches(PRESSED)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isTaken(event)) return
  // A modal dialog has its own shortcuts, and handles Escape itself.
  if (document.querySelector('dialog:modal') !== null) return
  // What is typed for one whose script is still loading is meant for it.
  if (useView.getState().overlay !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey) return
  for (const entry of entries.toReversed()) {
    if (!matchesKeys(entry.keys, event, isApple) || entry.run(event) === false) continue
    event.preventDefault()
    return
  }
}

/**
 * Runs `handler` on the keys (see `matchesKeys`) while the component is shown and `enabled`. Silent while a modal dialog is
 * open, while a person types (except with Ctrl or Command, Escape and function keys), and for Space and Enter on a button.
 */
export function useShortcut(keys: string, handler: ShortcutHandler, enabled = true): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    if (!enabled) return
    const entry: Entry = { keys, run: (event) => latest.current(event) }
    if (entries.length === 0) addEventListener('keydown', onKeyDown)
    entries.push(entry)
    return () => {
      entries.splice(entries.indexOf(entry), 1)
      if (entries.length === 0) removeEventListener('keydown', onKeyDown)
    }
  }, [keys, enabled])
}
