/**
 * What the page may call, and nothing else: the calls of the contract by name, its stream, and the places of dropped
 * files. No raw channel, no environment and no Node object crosses; the page cannot name a path, because only a real
 * `File` of the system has one.
 */
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import type { Result } from '../shared/contract.ts'
import {
  ACKNOWLEDGE_CHANNEL,
  callChannel,
  LISTEN_CHANNEL,
  MESSAGE_CHANNEL,
  PLACES_CHANNEL,
} from '../shared/ipc-channels.ts'
import { UI_CHANNEL_NAMES, type UiBridge, type UiCalls } from '../shared/ui-bridge.ts'
import type { Place, UiMessage } from '../shared/ui-contract.ts'

/** Failure is a value, even when the other end has gone away. */
async function ask(channel: string, request: unknown): Promise<Result<unknown>> {
  try {
    return (await ipcRenderer.invoke(channel, request)) as Result<unknown>
  } catch {
    const message = 'Hangar did not answer. Try again, or restart it.'
    return { ok: false, error: { code: 'internal', message, retryable: false } }
  }
}

let listeners = 0

function onMessage(listener: (message: UiMessage) => void): () => void {
  const receive = (_event: IpcRendererEvent, message: UiMessage): void => listener(message)
  ipcRenderer.on(MESSAGE_CHANNEL, receive)
  listeners += 1
  ipcRenderer.send(LISTEN_CHANNEL, true)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    ipcRenderer.off(MESSAGE_CHANNEL, receive)
    listeners -= 1
    if (listeners === 0) ipcRenderer.send(LISTEN_CHANNEL, false)
  }
}

/** What has no path, such as a picture dragged out of a browser, is left out. */
function placesOf(files: readonly File[]): Promise<Result<{ places: Place[] }>> {
  const paths = files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== '')
  return ask(PLACES_CHANNEL, paths) as Promise<Result<{ places: Place[] }>>
}

const calls = Object.fromEntries(
  UI_CHANNEL_NAMES.map((name) => [name, (request: unknown) => ask(callChannel(name), request)]),
) as unknown as UiCalls

const bridge: UiBridge = Object.freeze({
  calls: Object.freeze(calls),
  onMessage,
  acknowledge: (seq: number) => ipcRenderer.send(ACKNOWLEDGE_CHANNEL, seq),
  placesOf,
})

contextBridge.exposeInMainWorld('hangar', bridge)
