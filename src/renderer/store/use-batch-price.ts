import { useEffect, useRef, useState } from 'react'
import type { Result } from '../../shared/contract/call.ts'
import type { Price } from '../../shared/contract/intake.ts'
import { ask } from './bridge.ts'
import { inBackground } from '../bridge/in-background.ts'

/** A batch that is still being taken in grows: its price is requested once it has stopped growing. */
const REST_MS = 1500
/** The service may be away for a while. */
const RETRY_MS = 15_000

/**
 * What a batch's held pictures cost, or with null all that wait for credits, or why that is unknown; null until there is an answer for
 * the number held now. Retried until there is a price. `firstAfterMs`: the delay of the first request, short where a person is waiting for it.
 */
export function useBatchPrice(
  batchId: string | null,
  held: number,
  firstAfterMs = REST_MS,
): { answer: Result<Price> | null; retry: () => void } {
  const [known, setKnown] = useState<{ batchId: string | null; held: number; answer: Result<Price> } | null>(null)
  const [round, setRound] = useState(0)
  const nextAfterMs = useRef(firstAfterMs)
  useEffect(() => {
    let isGone = false
    let timer: ReturnType<typeof setTimeout>
    const askAfter = (delayMs: number) => {
      timer = setTimeout(() => {
        inBackground('batches.price', () =>
          ask('batches.price', { id: batchId }).then((answer) => {
            if (isGone) return
            setKnown({ batchId, held, answer })
            if (!answer.ok) askAfter(RETRY_MS)
          }),
        )
      }, delayMs)
    }
    askAfter(nextAfterMs.current)
    nextAfterMs.current = REST_MS
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [batchId, held, round])
  return {
    answer: known?.batchId === batchId && known.held === held ? known.answer : null,
    retry: () => {
      nextAfterMs.current = 0
      setKnown(null)
      setRound((before) => before + 1)
    },
  }
}
