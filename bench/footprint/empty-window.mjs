// An empty page in a window like Hangar's, which closing hides: what Electron itself takes.
import process from 'node:process'
import { app, BrowserWindow } from 'electron'

app.setPath('userData', `${process.env.HANGAR_DATA_DIR}/profile`)
app.commandLine.appendSwitch('disable-features', 'FileSystemAccessLocal')
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1200,
    height: 800,
    show: false,
    title: 'Empty',
    autoHideMenuBar: true,
    webPreferences: { contextIsolation: true, sandbox: true, spellcheck: false },
  })
  window.once('ready-to-show', () => {
    window.show()
    process.stderr.write(`the window is ready ${JSON.stringify({ atMs: Date.now() })}\n`)
  })
  window.on('close', (event) => {
    event.preventDefault()
    window.hide()
  })
  return window.loadURL('data:text/html,<title>Empty</title>')
}, console.error)
