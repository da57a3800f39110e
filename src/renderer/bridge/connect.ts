import type { UiBridge } from '../../shared/contract/page-bridge.ts'
import { Connection } from './connection.ts'
import { WebBridge } from './web-bridge.ts'

/** State of the page's connection to its shell; an Electron window never loses it. */
export const connection = new Connection()

/** The bridge that the window's preload put there, or else one over a socket to the server the page came from. */
export function connectToShell(): UiBridge {
  const given = (window as { hangar?: UiBridge }).hangar
  if (given === undefined) return new WebBridge(connection)
  connection.change({ state: 'open' })
  return given
}
