import { englishText } from '../../shared/sentences/english-text.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { NetworkError, NetworkErrorCode } from '../../shared/runtime/ports.ts'

export type Phase = 'connecting' | 'sending' | 'receiving'

/** A message for the log with nothing from the request or the answer; `detail` is a code such as ECONNREFUSED. */
export function networkError(code: NetworkErrorCode, detail: string | null = null): NetworkError {
  const words = englishText(say(`network_${code}`))
  return { code, message: detail === null ? words : `${words} (${detail})` }
}

const REFUSED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
])
const LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'UND_ERR_SOCKET',
])
/** This process, or this computer, may open no more sockets: it says nothing about the service. */
const TOO_FEW = new Set(['EMFILE', 'ENFILE'])
const CUT = new Set([...LOST, 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

export const FORBIDDEN = 'EFORBIDDEN'

/** `viaProxy`: the error arose on the way to a proxy. */
interface Facts {
  secure: boolean
  viaProxy: boolean
}

export function readNetworkError(error: unknown, phase: Phase, facts: Facts): NetworkError {
  const detail = codeOf(error)
  return networkError(classify(error, detail ?? '', phase, facts), detail)
}

function classify(error: unknown, code: string, phase: Phase, facts: Facts): NetworkErrorCode {
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'aborted'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large'
  if (phase === 'receiving') return CUT.has(code) || code.startsWith('HPE_') ? 'cut_off' : 'other'
  if (phase === 'sending') return LOST.has(code) ? 'reset' : isTls(code) ? 'tls' : 'other'
  if (code === FORBIDDEN) return 'forbidden'
  if (TOO_FEW.has(code)) return 'too_few_files'
  if (facts.viaProxy || code.startsWith('UND_ERR_PRX') || isTunnelRefusal(error)) return 'proxy'
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'connect_timeout'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'dns'
  if (REFUSED.has(code)) return 'refused'
  // A secure connection that is lost before a request starts was lost in its handshake.
  if (isTls(code) || (facts.secure && LOST.has(code))) return 'tls'
  return 'other'
}

/** OpenSSL's codes for a certificate that does not verify have no common prefix. */
function isTls(code: string): boolean {
  return /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|EPROTO)/.test(
    code,
  )
}

/** undici has no error code for a proxy that answers CONNECT with anything but 200. */
function isTunnelRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Proxy response')
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'errors' in error && Array.isArray(error.errors) ? codeOf(error.errors[0]) : null
}
