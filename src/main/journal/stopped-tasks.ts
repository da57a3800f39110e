import { z } from 'zod'
import type { Background, StoppedTask } from '../../shared/background.ts'
import { StoppedTask as StoredTask } from '../../shared/contract/stream.ts'
import type { Documents } from './documents.ts'

const [KIND, KEY] = ['stopped', 'all'] as const

/**
 * Keeps in the journal what has stopped in this process, for commands of other processes; returns what ends that. On a full disk
 * the note may be lost: the log and the window have it all the same. Keeps nothing where `isKept` is false.
 */
export function keepStopped(background: Background, documents: Documents, isKept: boolean): () => void {
  if (!isKept) return () => undefined
  const keep = () => documents.put(KIND, KEY, background.stopped())
  documents.remove(KIND, KEY)
  return background.onChange(keep)
}

/** What had stopped, as the last process to have the data folder noted it; void once that process has ended. */
export function stoppedIn(documents: Documents): StoppedTask[] {
  return documents.get(KIND, KEY, z.array(StoredTask)) ?? []
}
