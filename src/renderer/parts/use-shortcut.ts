import { useEffect, useRef } from 'react'
import { useView } from '../store/view-store.ts'
import { SHORTCUTS } from '../../shared/presentation/shortcuts.ts'
import { isApple, matchesKeys, type Press } from './shortcut-keys.ts'

/** Returning false passes the key press on to the handler registered earlier for the same keys. */
type ShortcutHandler = (event: KeyboardEvent) => boolean | void

interface Entry {
  name: ShortcutName
  run: ShortcutHandler
}

const KEYS = { ...SHORTCUTS.everywhere, ...SHORTCUTS.inJobs }
type ShortcutName = keyof typeof KEYS

/** Newest last: the component shown last gets a key press first. */
const entries: Entry[] = []

const TYPED_IN = 'textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])'
const PRESSED = 'button, a[href], summary, input, [role=menuitem], [role=option]'

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
    if (!isShortcut(entry.name, event) || entry.run(event) === false) continue
    event.preventDefault()
    return
  }
}

export const isShortcut = (name: ShortcutName, press: Press): boolean =>
  KEYS[name].some((keys) => matchesKeys(keys, press, isApple))

/**
 * Runs the handlers on the keys of their actions (`SHORTCUTS`) while the component is shown and `enabled`. Silent while a modal dialog
 * is open, while a person types (except with Ctrl or Command, Escape and function keys), and for Space and Enter on a button.
 */
export function useShortcuts(handlers: Partial<Record<ShortcutName, ShortcutHandler>>, enabled = true): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const names = Object.keys(handlers).join()
  useEffect(() => {
    if (!enabled) return
    const own = (names.split(',') as ShortcutName[]).map((name): Entry => ({
      name,
      run: (event) => latest.current[name]?.(event),
    }))
    if (entries.length === 0) addEventListener('keydown', onKeyDown)
    entries.push(...own)
    return () => {
      for (const entry of own) entries.splice(entries.indexOf(entry), 1)
      if (entries.length === 0) removeEventListener('keydown', onKeyDown)
    }
  }, [names, enabled])
}
