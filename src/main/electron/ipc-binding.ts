import type { IpcMain, IpcMainEvent, WebContents, WebFrameMain } from 'electron'
import { z } from 'zod'
import { AppError, type AppErrorShape } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import {
  ACKNOWLEDGE_CHANNEL,
  callChannel,
  LISTEN_CHANNEL,
  MESSAGE_CHANNEL,
  PLACES_CHANNEL,
} from '../../shared/contract/ipc-channels.ts'
import type { Result } from '../../shared/contract/call.ts'
import { PAGE_CALL_NAMES } from '../../shared/contract/calls.ts'
import type { Place } from '../../shared/contract/places.ts'
import type { Logger } from '../../shared/runtime/ports.ts'
import type { UiConnection, UiHost } from '../page/ui-host.ts'
import { isPage } from './page-address.ts'
import { stat } from 'node:fs/promises'
import { basename, isAbsolute } from 'node:path'
import type { PlaceRegistry } from '../page/place-registry.ts'

interface IpcBindingDeps {
  ipcMain: IpcMain
  /** The page may ask before it is there, and is answered then. */
  host: Promise<Pick<UiHost, 'call' | 'connect' | 'places'>>
  page: () => WebContents | null
  log: Logger
}

const MAX_PATHS = 100_000
const Paths = z.array(z.string().min(1).max(32_767)).max(MAX_PATHS)

const failure = (error: AppError): { ok: false; error: AppErrorShape } => ({
  ok: false,
  error: error.shape,
})
const REFUSED = failure(new AppError('bad_request', say('request_not_from_window')))

/** Answers what the preload names, to our own page alone. A failure is a value. */
export function bindIpc({ ipcMain, host, page, log }: IpcBindingDeps): { disconnect: () => void } {
  const trusted = (event: Sender, channel: string): boolean => {
    if (isTrustedSender(event, page())) return true
    log.warn('a message from elsewhere was refused', { channel })
    return false
  }
  for (const name of PAGE_CALL_NAMES) {
    ipcMain.handle(callChannel(name), async (event, request: unknown) =>
      trusted(event, name) ? (await host).call(name, request) : REFUSED,
    )
  }
  ipcMain.handle(PLACES_CHANNEL, async (event, paths: unknown) =>
    trusted(event, 'places') ? placesOf(await host, paths) : REFUSED,
  )

  let connection: UiConnection | null = null
  let generation = 0
  const disconnect = (): void => {
    generation += 1
    connection?.close()
    connection = null
  }
  const connect = async ({ sender }: IpcMainEvent): Promise<void> => {
    const own = generation
    const { connect: to } = await host
    // The page has gone, or was loaded again and listens itself.
    if (own !== generation) return
    connection = to((message) => {
      if (!sender.isDestroyed()) sender.send(MESSAGE_CHANNEL, message)
    })
  }
  ipcMain.on(LISTEN_CHANNEL, (event, wanted: unknown) => {
    if (!trusted(event, 'listen')) return
    disconnect()
    // Without a host, the start has failed, which is said elsewhere.
    if (wanted === true) connect(event).catch(() => undefined)
  })
  ipcMain.on(ACKNOWLEDGE_CHANNEL, (event, seq: unknown) => {
    if (trusted(event, 'acknowledge') && Number.isSafeInteger(seq)) connection?.acknowledge(seq as number)
  })
  return { disconnect }
}

async function placesOf(
  { places: registry }: Pick<UiHost, 'places'>,
  given: unknown,
): Promise<Result<{ places: Place[] }>> {
  const paths = Paths.safeParse(given)
  if (!paths.success) return failure(new AppError('bad_request', say('no_usable_paths')))
  const { places } = await placesAt(registry, paths.data)
  return { ok: true, value: { places } }
}

interface Sender {
  sender: WebContents
  senderFrame: WebFrameMain | null
}

/** Whether a message comes from the main frame of our window while it shows our page. */
export function isTrustedSender(event: Sender, page: WebContents | null): boolean {
  const { sender, senderFrame } = event
  if (page === null || page.isDestroyed() || sender !== page || senderFrame === null) return false
  try {
    const isMainFrame = senderFrame.parent === null && senderFrame.frameTreeNodeId === page.mainFrame.frameTreeNodeId
    return isMainFrame && isPage(senderFrame.url)
  } catch {
    // A frame disposed of since the message was sent throws when accessed.
    return false
  }
}

/** Registers the files and folders at these absolute paths. `missing`: the names of those that are not there. */
export async function placesAt(
  registry: PlaceRegistry,
  paths: readonly string[],
): Promise<{ places: Place[]; missing: string[] }> {
  const places: Place[] = []
  const missing: string[] = []
  for (const path of paths) {
    const kind = isAbsolute(path) ? await kindOf(path) : null
    if (kind === null) missing.push(basename(path) || path)
    else places.push(registry.register(path, kind))
  }
  return { places, missing }
}

async function kindOf(path: string): Promise<Place['kind'] | null> {
  try {
    const found = await stat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : null
  } catch {
    return null
  }
}
