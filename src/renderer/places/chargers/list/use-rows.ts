import { useEffect, useState } from 'react'
import type { AnswerTo, ChargerRow } from '../data/protocol.ts'
import { useChargers } from '../store/chargers-store.ts'
import { inBackground } from '../../../bridge/in-background.ts'

/** Rows per request, and how many are fetched before and after the visible ones. */
const PAGE = 60

/** The rows around the visible part. The previous ones stay until newer ones arrive. */
export function useRows(first: number, last: number): (index: number) => ChargerRow | null {
  const client = useChargers((view) => view.client)
  const round = useChargers(({ found }) => found?.round ?? 0)
  const [held, setHeld] = useState<AnswerTo<'rows'> | null>(null)
  const from = Math.max(0, Math.floor(first / PAGE) - 1) * PAGE
  const to = (Math.floor(last / PAGE) + 2) * PAGE
  useEffect(() => {
    if (client === null || round === 0) return
    let isCurrent = true
    inBackground('chargers.rows', () =>
      client.askNewest('rows', { from, to }).then((answer) => {
        if (isCurrent && answer !== null) setHeld(answer)
      }),
    )
    return () => {
      isCurrent = false
    }
  }, [client, round, from, to])
  return (index) => held?.rows[index - held.from] ?? null
}
