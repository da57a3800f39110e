import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** Selectors: the lines of a list, the focusable element of a line, and what gets the focus when no line is left. */
interface FocusStops {
  line: string
  inLine: string
  otherwise: string
}

/** When the focused line goes or comes back, focuses the one in its place. `stops` must not change; the ref is of their parent. */
export function useKeptFocus<Root extends HTMLElement>(lines: number, stops: FocusStops): RefObject<Root | null> {
  const place = useRef<Root>(null)
  /** The line that has the focus, or had it when it was removed. */
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
