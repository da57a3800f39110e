import { createContext } from 'react'

/** What floating elements are put into, so that they are on top: the enclosing dialog, or null for the page. */
export const Floor = createContext<HTMLElement | null>(null)
