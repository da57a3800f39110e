import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** Selectors of a list's lines, of what has the focus in a line, and of what gets it when no line is left. */
export interface FocusStops {
  line: string
  inLine: string
  otherwise: string
}

/**
 * Keeps the keyboard where it was when the line it was on is taken away, or comes back: on the line that is there now, else
 * on what makes a new one. `stops` must not change. The ref goes to what holds them all.
 */
export function useKeptFocus<Root extends HTMLElement>(lines: number, stops: FocusStops): RefObject<Root | null> {
  const place = useRef<Root>(null)
  /** The line that has the focus, or lost it only by going away. */
  const at = useRef<number | null>(null)
  useEffect(() => {
    const root = place.current
    const onFocus = (event: FocusEvent) => {
      if (!(event.target instanceof Element)) return
      const line = event.target.closest(stops.line)
      at.current = line === null ? null : [...(line.parentElement?.children ?? [])].indexOf(line)
    }
    root?.addEventListener('focusin', onFocus)
    return () => root?.removeEventListener('focusin', onFocus)
  }, [stops])
  useLayoutEffect(() => {
    const root = place.current
    if (root === null || at.current === null || document.activeElement !== document.body) return
    const names = root.querySelectorAll<HTMLElement>(stops.inLine)
    const next = names[Math.min(at.current, names.length - 1)] ?? root.querySelector<HTMLElement>(stops.otherwise)
    next?.focus()
  }, [lines, stops])
  return place
}
