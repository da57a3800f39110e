/**
 * What the page may use: the calls of the contract by name, the stream, and the places of dropped files. No raw channel and no Node
 * object crosses; only a real `File` of the system has a path.
 */
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import type { Result } from '../shared/contract/call.ts'
import type { PageCall } from '../shared/contract/calls.ts'
import type { UiBridge, UiCalls } from '../shared/contract/page-bridge.ts'
import type { Place } from '../shared/contract/places.ts'
import type { UiMessage } from '../shared/contract/stream.ts'
import {
  ACKNOWLEDGE_CHANNEL,
  callChannel,
  LISTEN_CHANNEL,
  MESSAGE_CHANNEL,
  PLACES_CHANNEL,
} from '../shared/contract/ipc-channels.ts'

/** Of the contract; the build puts them in, since a sandboxed preload can load nothing (electron.vite.config.ts). */
declare const __PAGE_CALL_NAMES__: readonly PageCall[]

/** Failure is a value, even when the other end has gone away. */
async function ask(channel: string, request: unknown): Promise<Result<unknown>> {
  try {
    return (await ipcRenderer.invoke(channel, request)) as Result<unknown>
  } catch {
    return { ok: false, error: { code: 'internal', sentence: { code: 'hangar_silent' } } }
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

/** Files without a path, such as a picture dragged out of a browser, are left out. */
async function placesOf(files: readonly File[]): Promise<Result<{ places: Place[] }>> {
  let paths
  try {
    paths = files.map((file) => webUtils.getPathForFile(file)).filter((path) => path !== '')
  } catch {
    return { ok: false, error: { code: 'bad_request', sentence: { code: 'no_usable_paths' } } }
  }
  return ask(PLACES_CHANNEL, paths) as Promise<Result<{ places: Place[] }>>
}

const calls = Object.fromEntries(
  __PAGE_CALL_NAMES__.map((name) => [name, (request: unknown) => ask(callChannel(name), request)]),
) as unknown as UiCalls

const bridge: UiBridge = Object.freeze({
  calls: Object.freeze(calls),
  onMessage,
  acknowledge: (seq: number) => {
    if (Number.isSafeInteger(seq)) ipcRenderer.send(ACKNOWLEDGE_CHANNEL, seq)
  },
  placesOf,
})

contextBridge.exposeInMainWorld('hangar', bridge)
