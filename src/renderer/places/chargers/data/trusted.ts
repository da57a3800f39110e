import chargerWorker from './charger-worker.ts?worker&url'
import { partMissing } from '../../../store/page-trouble.ts'
import baseWorker from '../map/base-worker.ts?worker&url'

/*
 * The page's policy blocks strings as script or markup (require-trusted-types-for). This policy allows exactly what the map needs:
 * its two workers, and the markup with which Leaflet detects SVG support. It has to be imported before Leaflet.
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

/** Starts a worker. If it fails, a bar over the content says so; requests under way are the caller's responsibility. */
export function startWorker(name: keyof typeof WORKERS): Worker {
  const worker = new Worker(WORKERS[name], { type: 'module', name })
  // The script failed to load, as after an update of Hangar, or the worker crashed: no reply will come.
  worker.addEventListener('error', partMissing)
  return worker
}
