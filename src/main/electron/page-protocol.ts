import { protocol, type Session } from 'electron'
import { PAGE_SCHEME } from './page-address.ts'

/** Before the app is ready, and once. A standard, secure scheme has an origin, storage and the web's rules of its own. */
export function registerPageScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true }
  protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges }])
}

export function setupPageProtocol(session: Session, serve: (request: Request) => Promise<Response>): void {
  session.protocol.handle(PAGE_SCHEME, serve)
}
