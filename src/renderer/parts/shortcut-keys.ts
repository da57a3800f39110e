import { t } from 'i18next'

export interface Press {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Decided by the browser, because the person's keyboard counts and not the computer that the shell runs on. */
export const isApple = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

/** Names that `keys` may use for keys without a printable character, or with one that reads badly in a list. */
const NAMED: Readonly<Record<string, string>> = { space: ' ', esc: 'escape' }

/**
 * Whether a key press matches the shortcut `keys`: `mod+k`, `mod+1`, `shift+a`, `?`, `f1`, `space`, `delete`. `mod` is
 * Command on an Apple keyboard, else Control. Shift is ignored for characters that need it to be typed, such as `?`.
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

const APPLE: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↩', delete: '⌫', esc: '⎋' }

const nameOf = (key: string) => t(`common:keys.${key as 'mod'}`, key.toUpperCase())

/** The shortcut as keyboards and menus show it: `Ctrl+K`, `Strg+K`, `⌘K`. */
export function keysText(keys: string, apple = isApple, name = nameOf): string {
  const parts = keys.split('+').map((part) => (apple ? APPLE[part] : undefined) ?? name(part))
  return parts.join(apple ? '' : '+')
}
