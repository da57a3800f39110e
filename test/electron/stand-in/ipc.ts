import { EventEmitter } from 'node:events'
import type { IpcMain, IpcMainInvokeEvent, WebFrameMain } from 'electron'
import type { WebContents } from './web-contents.ts'

type Invoked = (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown

class StandInIpcMain extends EventEmitter implements Pick<IpcMain, 'handle' | 'removeHandler'> {
  readonly #handlers = new Map<string, Invoked>()

  handle(channel: string, listener: Invoked): void {
    // The same mistake throws in Electron.
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    this.#handlers.set(channel, listener)
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel)
  }

  channels(): string[] {
    return [...this.#handlers.keys(), ...this.eventNames().map(String)]
  }

  async invoked(sender: WebContents, senderFrame: FrameLike, channel: string, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return handler({ sender, senderFrame } as unknown as IpcMainInvokeEvent, ...args)
  }

  sent(sender: WebContents, senderFrame: FrameLike, channel: string, args: unknown[]): void {
    this.emit(channel, { sender, senderFrame }, ...args)
  }
}

/** What is looked at of a frame. */
export type FrameLike = Pick<WebFrameMain, 'url' | 'frameTreeNodeId'> & { parent: FrameLike | null }

export const ipcMain = new StandInIpcMain()
