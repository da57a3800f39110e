import { z } from 'zod'
import type { Background, StoppedTask } from '../../shared/runtime/background.ts'
import { StoppedTask as StoredTask } from '../../shared/contract/stream.ts'
import type { Documents } from './documents.ts'

const [KIND, KEY] = ['stopped', 'all'] as const

/**
 * Records stopped tasks of this process in the journal, for commands of other processes; returns stop. On a full disk the
 * record may be lost; the log and the window still have it. Records nothing if `isKept` is false.
 */
export function keepStopped(background: Background, documents: Documents, isKept: boolean): () => void {
  if (!isKept) return () => undefined
  const keep = () => documents.put(KIND, KEY, background.stopped())
  documents.remove(KIND, KEY)
  return background.onChange(keep)
}

/** Stopped tasks as recorded by the last process to use the data folder; meaningless once that process has ended. */
export function stoppedIn(documents: Documents): StoppedTask[] {
  return documents.get(KIND, KEY, z.array(StoredTask)) ?? []
}
