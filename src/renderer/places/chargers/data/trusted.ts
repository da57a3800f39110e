/*
 * The page's policy blocks strings as markup (require-trusted-types-for). This policy allows the one with which Leaflet detects SVG
 * support. It has to be imported before Leaflet.
 */

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown
}

const LEAFLET_PROBE = '<svg/>'

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', { createHTML: (text) => (text === LEAFLET_PROBE ? text : null) })
