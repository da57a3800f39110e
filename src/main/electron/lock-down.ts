import type { App, Session, WebContents } from 'electron'
import type { Logger } from '../../shared/runtime/ports.ts'
import { isPage, isPageOrigin } from './page-address.ts'

interface LockDownDeps {
  app: App
  session: Session
  log: Logger
  /** Run from source rather than packaged: the developer tools may be opened. */
  development: boolean
  saveDialogTitle: () => string
}

/** The only permission the page may use: its copy buttons. */
function isAllowed(permission: string, origin: string): boolean {
  return permission === 'clipboard-sanitized-write' && isPageOrigin(origin)
}

/** Only the page's own origin and what it draws itself. */
function mayLoad(url: string, development: boolean): boolean {
  if (isPageOrigin(url) || url.startsWith('data:')) return true
  if (url.startsWith('blob:')) return isPageOrigin(url.slice('blob:'.length))
  return development && url.startsWith('devtools:')
}

/**
 * Denies what Electron grants by default, for every web contents: permissions, devices, navigation, windows, web
 * views, and requests and downloads from elsewhere than the page itself.
 */
export function setupLockDown({ app, session, log, development, saveDialogTitle }: LockDownDeps): void {
  session.setPermissionRequestHandler((_contents, permission, callback, details) => {
    callback(isAllowed(permission, details.requestingUrl))
  })
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin))
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest((details, callback) => {
    const cancel = !mayLoad(details.url, development)
    if (cancel) log.warn('a request of the page was refused', { scheme: details.url.split(':')[0] ?? '' })
    callback({ cancel })
  })
  session.on('will-download', (event, item) => {
    // The box would have the page's address as its title.
    if (isPageOrigin(item.getURL()))
      return item.setSaveDialogOptions({ title: saveDialogTitle(), defaultPath: item.getFilename() })
    log.warn('a download was refused')
    event.preventDefault()
  })
  app.on('web-contents-created', (_event, contents) => guard(contents, log))
}

function guard(contents: WebContents, log: Logger): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  const refuse = (event: { preventDefault(): void }, what: string): void => {
    log.warn('refused what the page tried', { what })
    event.preventDefault()
  }
  contents.on('will-frame-navigate', (details) => {
    // Reloading the page does not leave it.
    if (!details.isMainFrame || !isPage(details.url)) refuse(details, 'navigation')
  })
  contents.on('will-navigate', (details) => {
    if (!isPage(details.url)) refuse(details, 'navigation')
  })
  contents.on('will-redirect', (details) => refuse(details, 'redirect'))
  contents.on('will-attach-webview', (event) => refuse(event, 'web view'))
}
