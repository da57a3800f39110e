import { createContext, useContext } from 'react'

/** The open dialogue that a component is in. */
export const Floor = createContext<HTMLElement | null>(null)

/** Where what floats has to be put to lie over all else: the dialogue it belongs to, else null for the page. */
export function useFloor(): HTMLElement | null {
  return useContext(Floor)
}
