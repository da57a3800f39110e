/**
 * What the page may load and run: its own files. Trusted Types close the ways from text to script that are left.
 * `blob:` and `data:` are for pictures the page draws itself, `tileOrigin` for street maps that a person switched on.
 */
function pagePolicy(tileOrigin: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...(tileOrigin === null ? [] : [tileOrigin])].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** A picture or a download is data: opened as a document, it can do nothing. */
const DATA_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export function pageHeaders(contentType: string, tileOrigin: string | null): Record<string, string> {
  return {
    ...ALWAYS,
    'content-type': contentType,
    'content-security-policy': pagePolicy(tileOrigin),
    'cache-control': 'no-cache',
  }
}

/** Renderings are cached by their address, which names the version; what is downloaded is not. */
export function dataHeaders(contentType: string, cache: 'by-address' | 'never'): Record<string, string> {
  const cacheControl = cache === 'never' ? 'no-store' : 'private, max-age=3600'
  return {
    ...ALWAYS,
    'content-type': contentType,
    'content-security-policy': DATA_POLICY,
    'cache-control': cacheControl,
  }
}
