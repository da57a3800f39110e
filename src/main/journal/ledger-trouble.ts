import { z } from 'zod'
import type { Logger } from '../../shared/runtime/ports.ts'
import { WaitReason } from '../../shared/sentences/reasons.ts'
import { SentenceShape } from '../../shared/sentences/sentence-shape.ts'
import type { LedgerTrouble } from '../core/account-ledger.ts'
import type { Documents } from './documents.ts'

const [KIND, KEY] = ['team', 'trouble'] as const
const Kept = z.object({ code: WaitReason, detail: SentenceShape.nullable() })

/**
 * Records why the team ledger cannot be used in the journal, for commands of other processes; returns what to call after a change.
 * On a full disk the record may be lost; the log and the window still have it.
 */
export function keepLedgerTrouble(
  documents: Documents,
  trouble: () => LedgerTrouble | null,
  log: Pick<Logger, 'warn'>,
): () => void {
  documents.remove(KIND, KEY)
  let kept = ''
  return () => {
    const now = trouble()
    const record = now && { code: now.code, detail: now.detail }
    if (JSON.stringify(record) === kept) return
    try {
      if (record === null) documents.remove(KIND, KEY)
      else documents.put(KIND, KEY, record)
      kept = JSON.stringify(record)
    } catch (error) {
      log.warn('trouble with the team ledger could not be recorded', { error: String(error) })
    }
  }
}

/** The trouble as recorded by the last process to use the data folder; meaningless once that process has ended. */
export function ledgerTroubleIn(documents: Documents): z.infer<typeof Kept> | null {
  return documents.get(KIND, KEY, Kept)
}
