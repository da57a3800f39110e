import { protocol, type Session } from 'electron'
import { PAGE_SCHEME } from './page-address.ts'

/**
 * Call once, before the app is ready. A standard, secure scheme has an origin, its own storage and the rules of the
 * web.
 */
export function registerPageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true }
  protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges }])
}

export function setupPageProtocol(session: Session, serve: (request: Request) => Promise<Response>): void {
  session.protocol.handle(PAGE_SCHEME, serve)
}
