import { useEffect, useState } from 'react'
import type { AnswerTo, ChargerRow } from '../data/protocol.ts'
import { useChargers } from '../store/chargers-store.ts'
import { inBackground } from '../../../store/in-background.ts'

/** How many lines are fetched at once, and how many before and after those in sight. */
const PAGE = 60

/** The lines around what is in sight. What was there stays until the newer lines are there. */
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
