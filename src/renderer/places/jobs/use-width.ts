import { useSyncExternalStore } from 'react'

/** From this width on the detail is a pane beside the list; in a narrower window it covers the list as a sheet. */
const wide = () => matchMedia('(width >= 1100px)')

function listen(listener: () => void): () => void {
  const query = wide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useWide(): boolean {
  return useSyncExternalStore(listen, () => wide().matches)
}
