import process from 'node:process'
import { busFlag } from '../children/session-bus.ts'

const WATCHER = 'org.kde.StatusNotifierWatcher'

/**
 * Whether this desktop shows tray icons (StatusNotifierItem, "IsStatusNotifierHostRegistered"). On Linux a tray icon can be
 * made where nothing shows it, as on plain GNOME. A desktop that cannot be asked shows none.
 */
export async function showsTrayIcons(platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true
  const isShown = await busFlag({
    name: WATCHER,
    path: '/StatusNotifierWatcher',
    interface: WATCHER,
    property: 'IsStatusNotifierHostRegistered',
  })
  return isShown === true
}
