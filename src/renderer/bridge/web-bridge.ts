import type { SocketReply, SocketRequest } from '../../shared/contract/browsers.ts'
import type { Result } from '../../shared/contract/call.ts'
import type { UiBridge, UiCalls } from '../../shared/contract/page-bridge.ts'
import type { Place } from '../../shared/contract/places.ts'
import type { UiMessage } from '../../shared/contract/stream.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { useConnection, type RefusedUpload } from './connection.ts'
import { hasLink, signIn, takeLink, type SignIn } from './sign-in.ts'
import { inBackground } from './in-background.ts'
import { setAddressSecret } from './resource-url.ts'

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 10_000
/** The code of a socket whose sign-in ended (src/main/web/socket.ts). */
const SIGNED_OUT = 4401
/** How often a page that is signed out asks whether another tab signed in. */
const SIGNED_OUT_WAIT_MS = 2000
/** The server's limit for a message (src/main/web/socket.ts). */
const MAX_MESSAGE_CHARS = 7_000_000

type Failure = Extract<Result<never>, { ok: false }>
const failure = (sentence: Sentence, code: Failure['error']['code'] = 'service_unreachable'): Failure => ({
  ok: false,
  error: { code, sentence },
})
const NOT_CONNECTED = say('connection_missing')
const LOST = say('connection_lost')

/**
 * The bridge over a socket to the server that the page came from. Connects at the first `onMessage`, reconnects whenever the
 * connection is lost, and gets a snapshot each time. A call does not wait for the connection: it fails at once with a
 * `service_unreachable`.
 */
export class WebBridge implements UiBridge {
  /** The types and the server decide which calls exist. */
  readonly calls = new Proxy({} as UiCalls, {
    get: (_, name) => (request: unknown) => this.#call(String(name), request),
  })
  readonly #listeners = new Set<(message: UiMessage) => void>()
  readonly #pending = new Map<number, (result: Result<unknown>) => void>()
  #socket: WebSocket | null = null
  #token = ''
  #nextId = 1
  #waitMs = FIRST_WAIT_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #started = false
  #connecting = false

  onMessage(listener: (message: UiMessage) => void): () => void {
    this.#listeners.add(listener)
    if (!this.#started) this.#start()
    return () => this.#listeners.delete(listener)
  }

  /** Gives up a connection over which nothing comes, and makes a new one. */
  reconnect(): void {
    const silent = this.#socket
    if (silent === null) return
    this.#socket = null
    // It may never close, for its other end may be gone.
    silent.close()
    this.#failPending()
    this.#connectLater()
  }

  acknowledge(seq: number): void {
    this.#send({ ack: seq })
  }

  /**
   * One request per file, one after another. One of several that is not a picture is left out and reported in `useConnection`; a full disk
   * ends the upload and discards what arrived. If a person stops it, the files that arrived until then are returned.
   * Identical pictures give one place.
   */
  async placesOf(files: readonly File[]): Promise<Result<{ places: Place[] }>> {
    const places = new Map<string, Place>()
    const refused: RefusedUpload[] = []
    let done = 0
    const stopping = new AbortController()
    const report = (isOver = false) =>
      useConnection.setState({
        upload: { done, total: files.length, refused: [...refused], isOver, stop: () => stopping.abort() },
      })
    report()
    for (const file of files) {
      const result = await this.#upload(file, stopping.signal)
      if (result.ok) places.set(result.value.token, result.value)
      else if (stopping.signal.aborted) break
      else if (result.goOn) refused.push({ name: file.name, why: result.error.sentence })
      else {
        report(true)
        await this.#discard([...places.values()])
        return { ok: false, error: result.error }
      }
      if (stopping.signal.aborted) break
      done += 1
      report()
    }
    report(true)
    const [first] = refused
    return files.length === 1 && first !== undefined
      ? failure(first.why, 'bad_request')
      : { ok: true, value: { places: [...places.values()] } }
  }

  async #discard(places: readonly Place[]): Promise<void> {
    if (places.length > 0) await this.#call('uploads.discard', { tokens: places.map(({ token }) => token) })
  }

  async #upload(file: File, signal: AbortSignal): Promise<{ ok: true; value: Place } | (Failure & { goOn: boolean })> {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath
    try {
      const headers = { 'content-type': 'application/octet-stream', 'x-hangar-token': this.#token }
      const address = `/upload?path=${encodeURIComponent(path.toWellFormed())}`
      const answer = await fetch(address, { method: 'POST', headers, body: file, signal })
      if (!/json/.test(answer.headers.get('content-type') ?? '')) return { ...failure(NOT_CONNECTED), goOn: false }
      const result = (await answer.json()) as Result<Place>
      // 413 and 415 concern this file only.
      return result.ok ? result : { ...result, goOn: answer.status === 413 || answer.status === 415 }
    } catch {
      return { ...failure(LOST), goOn: false }
    }
  }

  #call(channel: string, request: unknown): Promise<Result<unknown>> {
    if (useConnection.getState().state !== 'open') return Promise.resolve(failure(NOT_CONNECTED))
    const id = this.#nextId++
    const text = JSON.stringify({ id, channel, request } satisfies SocketRequest)
    if (text.length > MAX_MESSAGE_CHARS) return Promise.resolve(failure(say('too_much_at_once'), 'bad_request'))
    return new Promise((resolve) => {
      this.#pending.set(id, resolve)
      this.#socket?.send(text)
    })
  }

  #send(message: SocketRequest): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #start(): void {
    this.#started = true
    const now = () => inBackground(() => this.#connect())
    now()
    // Pasting a new link into this tab only changes the fragment, which does not load the page again.
    addEventListener('hashchange', now)
    addEventListener('online', now)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') now()
    })
  }

  async #connect(): Promise<void> {
    if (this.#connecting || (this.#socket !== null && !hasLink())) return
    this.#connecting = true
    clearTimeout(this.#timer)
    const outcome = await signIn(takeLink())
    this.#connecting = false
    if (hasLink()) return this.#connect()
    if (outcome.kind === 'in') this.#open(outcome)
    else if (outcome.kind === 'unreachable') this.#connectLater()
    else {
      // What was said of a link stays while the page goes on asking.
      const isShown = useConnection.getState().state === 'signedOut' && !outcome.linkRefused
      if (!isShown) useConnection.setState({ state: 'signedOut', linkRefused: outcome.linkRefused })
      this.#connectIn(SIGNED_OUT_WAIT_MS)
    }
  }

  #open({ token, addressSecret }: Extract<SignIn, { kind: 'in' }>): void {
    this.#token = token
    setAddressSecret(addressSecret)
    this.#socket?.close()
    this.#failPending()
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/socket`, ['hangar', token])
    this.#socket = socket
    socket.onopen = () => {
      if (socket !== this.#socket) return
      this.#waitMs = FIRST_WAIT_MS
      useConnection.setState({ state: 'open', linkRefused: false })
    }
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#take(JSON.parse(String(data)) as SocketReply)
    }
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return
      this.#socket = null
      this.#failPending()
      const wasOpen = useConnection.getState().state === 'open'
      this.#connectLater()
      if (code === SIGNED_OUT && wasOpen) this.#connectIn(0)
    }
  }

  #failPending(): void {
    for (const resolve of this.#pending.values()) resolve(failure(LOST))
    this.#pending.clear()
  }

  #take(reply: SocketReply): void {
    if ('message' in reply) for (const listener of this.#listeners) listener(reply.message)
    else {
      this.#pending.get(reply.id)?.(reply.result)
      this.#pending.delete(reply.id)
    }
  }

  #connectLater(): void {
    useConnection.setState({ state: 'lost' })
    this.#connectIn(this.#waitMs * (0.75 + Math.random() / 2))
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS)
  }

  #connectIn(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => inBackground(() => this.#connect()), waitMs)
  }
}
