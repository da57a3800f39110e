import { join } from 'node:path'
import { nativeTheme } from 'electron'
import type { Settings } from '../../shared/settings/settings.ts'
import { storedSettings } from '../engine/stored-settings.ts'
import { tileOrigin } from '../page/page-policy.ts'
import type { UiHost } from '../page/ui-host.ts'
import type { FirstWindow } from './first-window.ts'
import { listPageFiles } from './page-files.ts'
import { createPageServer } from './page-server.ts'

export interface FirstPage {
  /** What the page asks for beyond its files is answered once there is a host. */
  readonly host: Promise<UiHost>
  /** The page's calls get to this process from now on. */
  mayCall(): void
  /** Hangar runs. */
  setHost(host: UiHost): void
  /** Hangar does not start. */
  failed(error: unknown): void
  /** The other origin that the page may load pictures from; null for none. */
  readonly tileOrigin: () => string | null
}

/**
 * Has the window look as the settings say, and serves its page's files. Chromium reads and draws them while the rest of Hangar is
 * loaded: so nothing that this file imports may import that. Rejects with what `storedSettings` throws; then nothing is served.
 */
export async function openFirstPage(dataDir: string, first: FirstWindow): Promise<FirstPage> {
  const stored: Settings = storedSettings(dataDir)
  nativeTheme.themeSource = stored.appearance.theme
  const arrival = Promise.withResolvers<UiHost>()
  arrival.promise.catch(() => undefined)
  const callable = Promise.withResolvers<void>()
  let host: UiHost | null = null
  const tiles = () => (host === null ? tileOrigin(stored.chargers.streetTiles) : host.tileOrigin())
  const files = listPageFiles(join(import.meta.dirname, '../renderer'))
  first.servePage(createPageServer({ files, scriptsAfter: callable.promise, host: arrival.promise, tileOrigin: tiles }))
  return {
    host: arrival.promise,
    mayCall: () => callable.resolve(),
    setHost(given) {
      host = given
      arrival.resolve(given)
    },
    failed: (error) => arrival.reject(error),
    tileOrigin: tiles,
  }
}
