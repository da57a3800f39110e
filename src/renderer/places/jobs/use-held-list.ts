import { useEffect, useState, type PointerEvent } from 'react'
import { holdList } from '../../store/jobs-store.ts'

/**
 * Keeps the lines in place while the pointer or the focus is in the list, or it is scrolled down. The pointer counts even over
 * buttons on top of the list, but only once it moved there: a list that appears under a resting pointer is not being read.
 */
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
