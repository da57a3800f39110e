/** What a key press says; the members of a `KeyboardEvent` that matter here. */
export interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** The keyboard in front of the person counts, not the computer that a shell runs on. */
export const isApple = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

/** Names that `keys` may use for keys which print nothing, or print what reads badly in a list. */
const NAMED: Readonly<Record<string, string>> = { space: ' ', esc: 'escape' }

/**
 * Whether a press is the shortcut that `keys` writes: `mod+k`, `mod+1`, `shift+a`, `?`, `f1`, `space`, `delete`. `mod` is Command on an
 * Apple keyboard, else Control. Shift does not matter for signs that need it to be typed, such as `?`.
 */
export function matchesKeys(keys: string, press: Press, apple: boolean): boolean {
  const parts = keys.toLowerCase().split('+')
  const name = parts.at(-1) ?? ''
  const wanted = NAMED[name] ?? name
  if (press.key.toLowerCase() !== wanted) return false
  const mod = parts.includes('mod')
  if ((apple ? press.metaKey : press.ctrlKey) !== mod || (apple ? press.ctrlKey : press.metaKey)) return false
  if (press.altKey !== parts.includes('alt')) return false
  const isSign = wanted.length === 1 && wanted !== ' ' && wanted.toLowerCase() === wanted.toUpperCase()
  return parts.includes('shift') === press.shiftKey || (isSign && !parts.includes('shift') && !/\d/.test(wanted))
}

/** What is written on the keys, in the window's language (`common.keys`). */
export type KeyWords = Readonly<Record<'mod' | 'shift' | 'alt' | 'space' | 'enter' | 'delete' | 'esc', string>>

const APPLE: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↩', delete: '⌫', esc: '⎋' }

/** As keyboards and menus write it: `Ctrl+K`, `Strg+K`, `⌘K`. */
export function keysText(keys: string, apple: boolean, words: KeyWords): string {
  const signs: Readonly<Record<string, string>> = apple ? { ...words, ...APPLE } : words
  const parts = keys.split('+').map((part) => signs[part] ?? part.toUpperCase())
  return parts.join(apple ? '' : '+')
}
