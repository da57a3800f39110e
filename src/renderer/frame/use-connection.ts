import { useSyncExternalStore } from 'react'
import { connection } from '../bridge/connect.ts'
import type { ConnectionView } from '../bridge/connection.ts'

/** How the page stands with its shell. */
export function useConnection(): ConnectionView {
  return useSyncExternalStore(connection.subscribe, connection.get)
}
