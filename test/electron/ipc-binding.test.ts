import { EventEmitter } from 'node:events'
import type { IpcMain, IpcMainEvent, WebContents } from 'electron'
import { beforeEach, describe, expect, it } from 'vitest'
import { bindIpc } from '../../src/main/electron/ipc-binding.ts'
import { PAGE_URL } from '../../src/main/electron/page-address.ts'
import { realClock } from '../../src/main/engine/real-clock.ts'
import { openLog } from '../../src/main/log/log.ts'
import type { UiHost } from '../../src/main/page/ui-host.ts'
import { callChannel, LISTEN_CHANNEL } from '../../src/shared/contract/ipc-channels.ts'

type Host = Pick<UiHost, 'call' | 'connect' | 'places'>

/** The ends of Electron's IPC, and a page that sends what it is told to. */
class Ipc extends EventEmitter {
  readonly #handlers = new Map<string, (event: unknown, request: unknown) => unknown>()
  readonly page = { isDestroyed: () => false, mainFrame: { frameTreeNodeId: 1 }, send: () => undefined }
  readonly event = {
    sender: this.page,
    senderFrame: { parent: null, frameTreeNodeId: 1, url: PAGE_URL },
  } as unknown as IpcMainEvent

  handle(channel: string, handler: (event: unknown, request: unknown) => unknown): void {
    this.#handlers.set(channel, handler)
  }

  invoke(channel: string, request: unknown): Promise<unknown> {
    return Promise.resolve(this.#handlers.get(channel)?.(this.event, request))
  }

  listen(wanted: boolean): void {
    this.emit(LISTEN_CHANNEL, this.event, wanted)
  }
}

describe('a page that loads while the engine starts', () => {
  let ipc: Ipc
  let connected: number
  let open: number
  let start: (host: Host) => void
  let disconnect: () => void
  const host = {
    call: (name: string) => Promise.resolve({ ok: true, value: name }),
    connect: () => {
      connected += 1
      open += 1
      return { acknowledge: () => undefined, close: () => (open -= 1) }
    },
  } as unknown as Host

  beforeEach(() => {
    ipc = new Ipc()
    connected = 0
    open = 0
    const coming = Promise.withResolvers<Host>()
    start = coming.resolve
    ;({ disconnect } = bindIpc({
      ipcMain: ipc as unknown as IpcMain,
      host: coming.promise,
      page: () => ipc.page as unknown as WebContents,
      log: openLog({ clock: realClock, target: { kind: 'lines', write: () => undefined } }),
    }))
  })

  it('is answered what it asked before, and connected once', async () => {
    const answer = ipc.invoke(callChannel('settings.set'), {})
    ipc.listen(true)
    expect(connected).toBe(0)
    start(host)
    expect(await answer).toEqual({ ok: true, value: 'settings.set' })
    expect({ connected, open }).toEqual({ connected: 1, open: 1 })
  })

  it('is not connected when it has gone or no longer listens by then', async () => {
    ipc.listen(true)
    disconnect()
    ipc.listen(true)
    ipc.listen(false)
    start(host)
    await ipc.invoke(callChannel('settings.set'), {})
    expect(connected).toBe(0)
  })

  it('is connected once when it was loaded again before', async () => {
    ipc.listen(true)
    disconnect()
    ipc.listen(true)
    start(host)
    await ipc.invoke(callChannel('settings.set'), {})
    expect({ connected, open }).toEqual({ connected: 1, open: 1 })
  })
})
