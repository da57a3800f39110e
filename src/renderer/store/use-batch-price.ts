import { useEffect } from 'react'
import type { Price } from '../../shared/contract/intake.ts'
import { useAnswer, type Answer } from './use-answer.ts'

/** A batch that is still being taken in grows: its price is requested once it has stopped growing. */
const REST_MS = 1500
/** The service may be away for a while. */
const RETRY_MS = 15_000

/**
 * What a batch's held pictures cost, or with null all that wait for credits, or why that is unknown; neither until there is an answer
 * for the number held now. Retried until there is a price; the failure stays until then, with the button beside it.
 */
export function useBatchPrice(id: string | null, held: number): Answer<Price> {
  const answer = useAnswer('batches.price', { id }, REST_MS, held)
  const { error, again, isBusy } = answer
  useEffect(() => {
    if (error === null) return
    const timer = setTimeout(again, RETRY_MS)
    return () => clearTimeout(timer)
  }, [error, again])
  return isBusy && error === null ? { ...answer, value: null } : answer
}
