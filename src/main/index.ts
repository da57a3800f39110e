/**
 * The Electron shell: the composition root of the desktop app. What must happen before the app is ready happens here at
 * once; then comes the window, and once it is shown the rest is loaded (`electron/start-desktop.ts`). `whenReady` must not be
 * awaited at the top level.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { app, dialog, Menu, protocol } from 'electron'
import { openFirstWindow } from './electron/first-window.ts'
import { PAGE_SCHEME } from './electron/page-address.ts'
import { takeInstance, collectHandedOver } from './electron/single-instance.ts'
import { ownArguments, startOptions } from './electron/start-options.ts'
import { checkDataFolder } from './journal/check-data-folder.ts'

const options = startOptions(ownArguments(process.argv, app.isPackaged), process.cwd(), process.env)
app.setName('Hangar')
// The page has its own ways to name files; Chromium's picker would be another.
app.commandLine.appendSwitch('disable-features', 'FileSystemAccessLocal')
// Windows shows notifications only for an id that the installer made known; see electron-builder.yml.
app.setAppUserModelId('org.hangar.desktop')
// A standard, secure scheme has an origin, its own storage and the rules of the web.
const privileges = { standard: true, secure: true, supportFetchAPI: true }
protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges }])
// Electron would build one of its own at the start, which ours replaces.
Menu.setApplicationMenu(null)

if (takeProfile()) {
  const handedOver = collectHandedOver(app, options)
  app
    .whenReady()
    .then(async () => {
      const first = openFirstWindow(options)
      await first.shown
      const { startDesktop } = await import('./electron/start-desktop.ts')
      await startDesktop(options, handedOver, first)
    })
    .catch((error: unknown) => {
      dialog.showErrorBox('Hangar', String(error))
      app.exit(1)
    })
} else {
  app.exit(0)
}

/** One profile for each data folder, because the single-instance lock belongs to the profile. */
function takeProfile(): boolean {
  const profile = join(options.dataDir, 'profile')
  try {
    checkDataFolder(options.dataDir)
    mkdirSync(profile, { recursive: true, mode: 0o700 })
    app.setPath('userData', profile)
  } catch {
    // Without a data folder there is nothing to share; starting says what is wrong with it.
    return true
  }
  return takeInstance(app, options)
}
