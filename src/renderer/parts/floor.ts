import { createContext, useContext } from 'react'

/** The open dialog that a component is in. */
export const Floor = createContext<HTMLElement | null>(null)

/** Where floating elements must be placed to be on top: the dialog that they belong to, else null for the page. */
export function useFloor(): HTMLElement | null {
  return useContext(Floor)
}
