/**
 * Stands in for the module `electron` where its runtime is not there: real pages in Chromium, real processes, real files,
 * the rest recorded. Each export has the members of Electron's own that the shell uses, checked against its declarations.
 */
import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { listenToTest } from './control.ts'

export { app, BrowserWindow }
export { ipcMain } from './ipc.ts'
export { protocol, session } from './session.ts'
export * from './system.ts'
export { utilityProcess } from './utility-process.ts'

app.closeWindows = () => {
  for (const window of BrowserWindow.getAllWindows()) window.close()
}
listenToTest()
