import { create } from 'zustand'

interface OpenDialog {
  id: string
  /** What Escape does: closes it, or asks first where typed changes would be lost. */
  cancel: () => void
}

/** The open dialogs, outermost first: what is under a modal dialog cannot be reached. */
export const useOpenDialogs = create<{ open: readonly OpenDialog[] }>(() => ({ open: [] }))
