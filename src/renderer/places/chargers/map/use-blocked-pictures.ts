import { useEffect, useState } from 'react'

/**
 * Whether the page's policy stopped a picture. It names the servers that pictures may come from and is made when the page is
 * loaded: what was allowed in Settings later counts from the next time on.
 */
export function useBlockedPictures(): boolean {
  const [isBlocked, setBlocked] = useState(false)
  useEffect(() => {
    const note = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'img-src') setBlocked(true)
    }
    document.addEventListener('securitypolicyviolation', note)
    return () => document.removeEventListener('securitypolicyviolation', note)
  }, [])
  return isBlocked
}
