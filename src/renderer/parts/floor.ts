import { createContext, useContext } from 'react'

/** The open dialog that contains a component. */
export const Floor = createContext<HTMLElement | null>(null)

/** The container for floating elements, so that they are on top: the enclosing dialog, or null for the page. */
export function useFloor(): HTMLElement | null {
  return useContext(Floor)
}
