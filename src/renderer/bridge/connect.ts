import type { UiBridge } from '../../shared/contract/page-bridge.ts'
import { useConnection } from './connection.ts'
import { WatchedBridge } from './watched-bridge.ts'
import { WebBridge } from './web-bridge.ts'

const given = (globalThis as { hangar?: UiBridge }).hangar

/** In a window of the desktop app rather than in a browser, even if what connects the two is missing. */
export const isOnDesktop = given !== undefined || globalThis.location?.protocol === 'hangar:'

/** The window is there before the engine, which may have to wait for a keychain. What keeps it from starting, a box says. */
const STARTING_MS = 15_000

/** The bridge that the window's preload put there, or else one over a socket to the server the page came from. */
export function connectToShell(): UiBridge {
  if (given !== undefined) {
    useConnection.setState({ state: 'open' })
    return new WatchedBridge(given, undefined, STARTING_MS)
  }
  if (isOnDesktop) throw new Error('The window has no bridge: its preload did not run.')
  const web = new WebBridge()
  return new WatchedBridge(web, () => web.reconnect())
}
