import type { KeyPlace } from './key-place.ts'

/** The ports between decisions and effects. Each has one real implementation and, in tests, one in memory. */

/** Wall-clock time for what is stored and shown, monotonic time for waits, and timers. */
export interface Clock {
  /** Unix milliseconds; may jump either way. */
  nowMs(): number
  /** Milliseconds since the machine started; never goes back while it runs, and cannot be set. */
  monotonicMs(): number
  /** Calls back once after `delayMs` of monotonic time; returns cancel. */
  setTimer(delayMs: number, callback: () => void): () => void
}

/** A pause that a service asked for. Unix milliseconds. */
export interface RatePause {
  sinceMs: number
  untilMs: number
}

/** A number in [0, 1). */
export type Random = () => number

/** `ledger`: the password of the team ledger. */
export type SecretName = 'image' | 'chargers' | 'ledger'
/** Those that have a key. */
export type KeyedService = Exclude<SecretName, 'ledger'>

/** Storage for keys, by the service, ledger or data folder: a key is never used for another one. */
export interface SecretStore {
  get(name: SecretName, origin: string): Promise<string | null>
  set(name: SecretName, origin: string, secret: string): Promise<void>
  delete(name: SecretName, origin: string): Promise<void>
  /** Where the key of this service is kept, or would be; a null origin stands for a service that has no address yet. */
  describe(name: SecretName, origin: string | null): Promise<KeyPlace>
}

/** Failures below HTTP, in the detail that the decision table needs. */
export type NetworkErrorCode =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'proxy'
  | 'forbidden'
  | 'too_few_files'
  | 'connect_timeout'
  | 'reset'
  | 'timeout'
  | 'cut_off'
  | 'too_large'
  | 'aborted'
  | 'other'

export interface NetworkError {
  code: NetworkErrorCode
  /** For the log: no URL, header or body. */
  message: string
}

export interface MultipartPart {
  name: string
  value: string | { bytes: Uint8Array; filename: string; contentType: string }
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  multipart?: MultipartPart[]
  /** A body of another type, instead of `multipart`. */
  body?: { bytes: Uint8Array; contentType: string }
  /** Do not reuse a kept-alive connection: a stale one leaves it unknown whether the request was sent. */
  freshConnection?: boolean
  /** No bytes sent or received for this long ends the request. */
  idleTimeoutMs: number
  connectTimeoutMs: number
  /** A longer body ends the request with `too_large`. */
  maxBytes: number
  /**
   * Filters the IP addresses that the host may resolve to: when none remains the request ends as `notSent` with `forbidden`.
   * Requires a fresh connection. A proxy resolves names itself: through one, only a host that is an IP address is checked.
   */
  mayConnectTo?: (address: string) => boolean
  /** Asked once it is connected, before the first byte leaves: false ends the request as `notSent` with `connect_timeout`. */
  mayStart?: () => boolean
  signal?: AbortSignal
}

export interface HttpResponse {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
}

/** `notSent`: certainly no byte of the request reached the peer. `maybeSent`: it may have. */
export type HttpOutcome<Body> =
  | { kind: 'response'; response: HttpResponse; body: Body }
  | { kind: 'notSent'; error: NetworkError }
  | { kind: 'maybeSent'; error: NetworkError }

export interface HttpPort {
  /** Reads the whole body into memory, up to `maxBytes`. Redirects are returned like any other answer and never followed. */
  request(request: HttpRequest): Promise<HttpOutcome<Uint8Array>>
  /**
   * Streams a 200 body to `sink`, up to `maxBytes`, and is then null; of any other status it is the text.
   * A body shorter than its Content-Length is `maybeSent` with `cut_off`.
   */
  download(request: HttpRequest, sink: (chunk: Uint8Array) => Promise<void>): Promise<HttpOutcome<string | null>>
  close(): Promise<void>
}

/** A child process running one of Hangar's own entry points, with an allow-listed environment. */
export interface ChildHandle {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (code: number | null) => void): void
  kill(): void
}

export type ChildEntry = 'image-worker' | 'practice' | 'keychain-probe'

/** `child_process.fork` outside Electron, `utilityProcess.fork` inside it. */
export interface ChildPort {
  spawn(entry: ChildEntry): ChildHandle
}

/** What a shell can do. `browse`: folders are picked in the page. `upload`, `download`: the browser may be on another computer. */
export const CAPABILITIES = [
  'pickPaths',
  'browse',
  'dropPaths',
  'upload',
  'download',
  'reveal',
  /** Asks where to save a file. */
  'saveFiles',
  'startDrag',
  'notify',
  'openExternal',
  'startAtLogin',
  'tray',
  /** Puts entries of Hangar's into the file managers of this computer. */
  'fileManagers',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** File managers that can be given an entry of Hangar's. */
export const MANAGER_IDS = ['nautilus', 'nemo', 'caja', 'dolphin', 'thunar', 'finder', 'explorer'] as const
export type ManagerId = (typeof MANAGER_IDS)[number]

/** `entry`: Hangar's is not there, is as it should be, is for another place or an older version, or something else has its name. */
export interface ManagerState {
  id: ManagerId
  isThere: boolean
  entry: 'absent' | 'current' | 'older' | 'another'
}

/** The entries of file managers. Rejects with an `AppError` of the disk. */
export interface FileManagers {
  list(): Promise<ManagerState[]>
  /** Writes the entry of each file manager that is there. What is not as Hangar wrote it stays. */
  install(): Promise<ManagerState[]>
  /** Removes every entry that is as Hangar wrote it. */
  remove(): Promise<ManagerState[]>
}

/** What a shell of the desktop does for its page. A method without its capability is never called. Paths are absolute and were checked. */
export interface DesktopShell extends ShellPort {
  /** Resolves to an empty list when the person cancels. */
  pickPaths(kind: 'files' | 'folder'): Promise<string[]>
  /** Asks where to save a text, all of it or nothing. Resolves to the name it has there, null when the person cancels. */
  saveText(filename: string, text: string): Promise<string | null>
  /** Shows a file in the system's file manager. */
  reveal(path: string): Promise<void>
  /** Starts dragging files out of the window; must be called while a drag begins. */
  startDrag(paths: readonly string[]): void
  /** `address` is the fragment of the page that a click on it opens; null for the window as it is. */
  notify(notice: { title: string; body: string; address: string | null }): void
  /** `url` is https and on the allow-list of `external-links.ts`. */
  openExternal(url: string): Promise<void>
  setStartAtLogin(enabled: boolean): Promise<void>
  readonly fileManagers: FileManagers
}

export interface ShellPort {
  readonly capabilities: ReadonlySet<Capability>
}

/** One line of the log. Messages and values pass the redactor before they are written. */
export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
  /** From now on this key is redacted in every line. A logger without output need not implement it. */
  hideSecret?(secret: string): void
}
