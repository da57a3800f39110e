/** Headers that the shells with a page send with every response, besides its type and caching. */
export const EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A picture, a download or other data: opened as a document, it can neither run nor load anything. */
export const DATA_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/**
 * What the page may load and run: its own files. Trusted Types close the remaining ways from text to script. `blob:`
 * and `data:` are for pictures that the page draws itself. `connect` is an additional origin it may connect to.
 */
export function pagePolicy(connect = ''): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${connect}`.trim(),
    "worker-src 'self' blob:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}
