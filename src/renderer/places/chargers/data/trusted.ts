import chargerWorker from './charger-worker.ts?worker&url'
import { partMissing } from '../../../store/page-trouble.ts'
import baseWorker from '../map/base-worker.ts?worker&url'

/*
 * The page takes no text for script or markup (require-trusted-types-for). What the map needs nevertheless is let through
 * here, word by word: its two workers, and the picture that Leaflet makes to learn whether the browser knows SVG. This has
 * to be imported before Leaflet is.
 */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (text: string) => string | null; createScriptURL: (text: string) => string | null },
  ): unknown
}

const WORKERS = { chargers: chargerWorker, base: baseWorker }
const LEAFLET_PROBE = '<svg/>'

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text === LEAFLET_PROBE ? text : null),
  createScriptURL: (text) => (Object.values(WORKERS).includes(text) ? text : null),
})

/** A worker that cannot do its work is said over the content; what was asked of it is the caller's business. */
export function startWorker(name: keyof typeof WORKERS): Worker {
  const worker = new Worker(WORKERS[name], { type: 'module', name })
  // Its script did not come, as after an update of Hangar, or it crashed: nothing it was asked will be answered.
  worker.addEventListener('error', partMissing)
  return worker
}
