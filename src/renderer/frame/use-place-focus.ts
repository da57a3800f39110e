import { useEffect, useRef, type RefObject } from 'react'
import type { PlaceName } from '../store/view-store.ts'

/** When a place goes away with the focus in it, the keyboard goes on in the next place, not at the top of the page. */
export function usePlaceFocus(place: PlaceName, main: RefObject<HTMLElement | null>): void {
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    if (document.activeElement === null || document.activeElement === document.body) main.current?.focus()
  }, [place, main])
}
