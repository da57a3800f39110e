import { useEffect, useMemo, useRef } from 'react'
import { holdList } from '../../store/jobs-store.ts'

/**
 * Keeps the lines where they are while the pointer or the keyboard is on them, or the list is scrolled down. The pointer
 * counts also on what lies over them: the way to a button there is no reason to move.
 */
export function useHeldList(isScrolled: boolean) {
  const at = useRef({ pointer: false, focus: false, isScrolled: false })
  const handlers = useMemo(() => {
    const be = (part: Partial<typeof at.current>) => () => {
      Object.assign(at.current, part)
      holdList(at.current.pointer || at.current.focus || at.current.isScrolled)
    }
    return {
      onPointerEnter: be({ pointer: true }),
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
