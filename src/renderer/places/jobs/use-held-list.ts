import { useEffect, useState, type PointerEvent } from 'react'
import { holdList } from '../../store/jobs-store.ts'

/** Keeps the lines in place while the pointer moved over the list, the focus is in it, or it is scrolled down. */
export function useHeldList(isScrolled: boolean) {
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  useEffect(() => holdList(hasPointer || hasFocus || isScrolled), [hasPointer, hasFocus, isScrolled])
  useEffect(() => () => holdList(false), [])
  return {
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) setPointer(true)
    },
    onPointerLeave: () => setPointer(false),
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
  }
}
