import { useEffect, useMemo, useRef, type PointerEvent } from 'react'
import { holdList } from '../../store/jobs-store.ts'

/**
 * Keeps the lines in place while the pointer or the focus is in the list, or it is scrolled down. The pointer counts even over
 * buttons on top of the list, but only once it moved there: a list that appears under a resting pointer is not being read.
 */
export function useHeldList(isScrolled: boolean) {
  const at = useRef({ pointer: false, focus: false, isScrolled: false })
  const handlers = useMemo(() => {
    const be = (part: Partial<typeof at.current>) => () => {
      Object.assign(at.current, part)
      holdList(at.current.pointer || at.current.focus || at.current.isScrolled)
    }
    return {
      onPointerMove: ({ movementX, movementY }: PointerEvent) => {
        if (!at.current.pointer && (movementX !== 0 || movementY !== 0)) be({ pointer: true })()
      },
      onPointerLeave: be({ pointer: false }),
      onFocus: be({ focus: true }),
      onBlur: be({ focus: false }),
      scrolled: be({ isScrolled: true }),
      atTheTop: be({ isScrolled: false }),
    }
  }, [])
  useEffect(() => (isScrolled ? handlers.scrolled() : handlers.atTheTop()), [isScrolled, handlers])
  useEffect(() => () => holdList(false), [])
  return handlers
}
