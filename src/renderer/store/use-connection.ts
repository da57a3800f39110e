import { useSyncExternalStore } from 'react'
import { connection } from '../bridge/connect.ts'
import type { ConnectionView } from '../bridge/connection.ts'

/** State of the page's connection to its shell. */
export function useConnection(): ConnectionView {
  return useSyncExternalStore(connection.subscribe, connection.get)
}
