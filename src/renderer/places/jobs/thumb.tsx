import { ImageOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { picturePath } from '../../../shared/contract/page-bridge.ts'

/** Lines that fly by are not worth a request. */
const SETTLE_MS = 120
const KNOWN_AT_MOST = 2000

/** Addresses that were shown before: the browser has them. */
const known = new Set<string>()

function remember(address: string): void {
  known.add(address)
  if (known.size <= KNOWN_AT_MOST) return
  const [oldest] = known
  known.delete(oldest!)
}

/** What a picture looks like does not change with its job; only where the original was replaced. */
function addressOf(row: JobRow): string {
  return picturePath(row.id, 'thumb', row.replaced ? row.updatedAtMs : row.createdAtMs)
}

/** The picture, small; also the place to click for choosing several. */
export function Thumb({ row, isChosen }: { row: JobRow; isChosen: boolean }) {
  const address = addressOf(row)
  const src = useSettled(address)
  const [lacking, setLacking] = useState<string | null>(null)
  // A picture that could not be shown may be there in the next state.
  const attempt = `${address} ${row.state}`
  return (
    <span className={isChosen ? 'jobs-thumb chosen' : 'jobs-thumb'} data-toggle aria-hidden>
      {lacking === attempt ? (
        <ImageOff size={14} />
      ) : src === null ? null : (
        <img
          key={attempt}
          src={src}
          alt=""
          width={32}
          height={32}
          decoding="async"
          draggable={false}
          onLoad={() => remember(address)}
          onError={() => setLacking(attempt)}
        />
      )}
      <span className="jobs-check" />
    </span>
  )
}

/** The address once it stood still for a moment; at once if it was shown before. */
function useSettled(address: string): string | null {
  const [settled, setSettled] = useState(() => (known.has(address) ? address : null))
  useEffect(() => {
    if (settled === address) return
    const timer = setTimeout(() => setSettled(address), known.has(address) ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [address, settled])
  return settled
}
