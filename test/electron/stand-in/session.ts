import { EventEmitter } from 'node:events'
import type { OnBeforeRequestListenerDetails, Session, WebContents as RealWebContents } from 'electron'
import { record } from './record.ts'

type PermissionRequest = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>
type PermissionCheck = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>
type Serve = (request: Request) => Response | Promise<Response>
type BeforeRequest = (
  details: OnBeforeRequestListenerDetails,
  callback: (response: { cancel?: boolean }) => void,
) => void

type Used = 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'resolveProxy'

class StandInSession extends EventEmitter implements Pick<Session, Used> {
  #request: PermissionRequest | null = null
  #check: PermissionCheck | null = null
  #device: Parameters<Session['setDevicePermissionHandler']>[0] = null
  #serve = new Map<string, Serve>()
  #before: BeforeRequest | null = null
  /** What the system would say; set by a test. */
  proxy = 'DIRECT'

  readonly protocol = {
    handle: (scheme: string, serve: Serve): void => {
      if (!registeredSchemes.has(scheme)) throw new Error(`${scheme} was not registered as privileged`)
      this.#serve.set(scheme, serve)
    },
  } satisfies Pick<Session['protocol'], 'handle'>

  readonly webRequest = {
    onBeforeRequest: (listener: BeforeRequest): void => {
      this.#before = listener
    },
  }

  setPermissionRequestHandler(handler: PermissionRequest | null): void {
    this.#request = handler
  }

  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    this.#check = handler
  }

  setDevicePermissionHandler(handler: Parameters<Session['setDevicePermissionHandler']>[0]): void {
    this.#device = handler
  }

  async resolveProxy(url: string): Promise<string> {
    record('session.resolveProxy', url)
    return this.proxy
  }

  /** What Electron would do: no handler means yes. */
  asks(permission: string, origin: string): { requested: boolean; checked: boolean; device: boolean } {
    let requested = true
    const details = { requestingUrl: origin, isMainFrame: true }
    this.#request?.(
      null as unknown as RealWebContents,
      permission as Parameters<PermissionRequest>[1],
      (granted) => (requested = granted),
      details,
    )
    const checked = this.#check?.(null, permission as Parameters<PermissionCheck>[1], origin, details) ?? true
    const device = this.#device?.({ deviceType: 'usb', origin } as never) ?? true
    return { requested, checked, device }
  }

  serve(request: Request): Response | Promise<Response> {
    const handler = this.#serve.get(new URL(request.url).protocol.slice(0, -1))
    if (handler === undefined) throw new Error(`nothing serves ${request.url}`)
    return handler(request)
  }

  /** Whether a request may leave the page. */
  allows(url: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#before === null) return resolve(true)
      this.#before({ url } as OnBeforeRequestListenerDetails, ({ cancel }) => resolve(cancel !== true))
    })
  }
}

const registeredSchemes = new Map<string, unknown>()
export const standInSession = new StandInSession()
export const session = { defaultSession: standInSession }

export const protocol = {
  registerSchemesAsPrivileged(schemes: { scheme: string; privileges?: unknown }[]): void {
    if (readiness.isReady) throw new Error('registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme, privileges } of schemes) registeredSchemes.set(scheme, privileges)
    record('protocol.registerSchemesAsPrivileged', schemes)
  },
}

/** Set by `app.ts`; here because what may only happen before `ready` is here. */
export const readiness = { isReady: false }
