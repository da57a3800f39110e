import { Image } from 'lucide-react'
import { useState } from 'react'
import { picturePath } from '../../shared/contract/page-bridge.ts'
import { viewed } from '../bridge/viewed.ts'

/** The first pictures of an intake, by their tokens; what cannot be shown has an icon, and what is not known yet an empty frame. */
export function IntakePictures({ tokens, expected }: { tokens: readonly string[]; expected: number }) {
  const frames = tokens.length > 0 ? tokens : Array.from({ length: Math.min(6, Math.max(1, expected)) }, () => null)
  return (
    <ul className={`intake-pictures of-${frames.length}`} aria-hidden>
      {frames.map((token, n) => (
        <li key={token ?? n}>{token === null ? null : <Picture token={token} />}</li>
      ))}
    </ul>
  )
}

function Picture({ token }: { token: string }) {
  // The file may have changed since it was shown the last time.
  const [version] = useState(Date.now)
  const [isLacking, setLacking] = useState(false)
  return isLacking ? (
    <Image size={20} aria-hidden />
  ) : (
    <img src={viewed(picturePath(token, 'file', version))} alt="" decoding="async" onError={() => setLacking(true)} />
  )
}
