/** The channel to the process that started this one, whichever way it did. */
export interface ParentChannel {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
}

/** What Electron's utility processes have as `process.parentPort`; only what is used here. */
interface UtilityPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

/** The channel of a utility process or of a forked child; null when this process was started without one. */
export function parentChannel(): ParentChannel | null {
  const port = (process as unknown as { parentPort?: UtilityPort }).parentPort
  if (port) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => {
        port.on('message', (event) => listener(event.data))
      },
      onClose: (listener) => {
        port.on('close', listener)
      },
    }
  }
  if (!process.send) return null
  return {
    send: (message) => {
      if (process.connected) process.send?.(message)
    },
    onMessage: (listener) => {
      process.on('message', listener)
    },
    onClose: (listener) => {
      process.on('disconnect', listener)
    },
  }
}
