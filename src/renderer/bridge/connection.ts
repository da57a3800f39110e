import { create } from 'zustand'
import type { Sentence } from '../../shared/sentences/sentence.ts'

export interface RefusedUpload {
  name: string
  why: Sentence
}

interface UploadView {
  done: number
  total: number
  refused: readonly RefusedUpload[]
  isOver: boolean
  /** Stops the upload: the file in transfer is aborted, those that arrived stay. */
  stop: () => void
}

/**
 * State of the page's connection to its shell. `lost`: it reconnects by itself. `signedOut`: a person has to open a
 * new link; `linkRefused`: the link just opened was used before or has expired.
 */
interface Connection {
  state: 'connecting' | 'open' | 'lost' | 'signedOut'
  /** Nothing has been answered for some seconds, whatever the connection says of itself. */
  isSilent: boolean
  linkRefused: boolean
  /** The upload to the inbox; a finished one stays visible until the next begins. */
  upload: UploadView | null
}

export const useConnection = create<Connection>(() => ({
  state: 'connecting',
  isSilent: false,
  linkRefused: false,
  upload: null,
}))
