import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { pictureAddress } from './stage/picture-address.ts'

/** Lines that only pass by during scrolling are not fetched. */
const SETTLE_MS = 120
const MAX_KNOWN = 2000

/** Addresses that were shown before, which the browser has cached. */
const known = new Set<string>()

function remember(address: string): void {
  known.add(address)
  if (known.size <= MAX_KNOWN) return
  const [oldest] = known
  known.delete(oldest!)
}

export function Thumb({ row, isChosen }: { row: JobRow; isChosen: boolean }) {
  const address = pictureAddress(row, 'thumb')
  const src = useSettled(address)
  const [lacking, setLacking] = useState<string | null>(null)
  // A picture that failed to load may exist in the next state.
  const attempt = `${address} ${row.state}`
  return (
    <span className={isChosen ? 'jobs-thumb chosen' : 'jobs-thumb'} aria-hidden>
      {lacking === attempt ? (
        <ImageOff size={16} />
      ) : src === null ? null : (
        <img
          key={attempt}
          src={src}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={() => remember(address)}
          onError={() => setLacking(attempt)}
        />
      )}
      <span className="jobs-check" data-toggle />
    </span>
  )
}

/** The address after a short delay; at once if it was shown before. */
function useSettled(address: string): string | null {
  const [settled, setSettled] = useState(() => (known.has(address) ? address : null))
  useEffect(() => {
    if (settled === address) return
    const timer = setTimeout(() => setSettled(address), known.has(address) ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [address, settled])
  return settled
}
