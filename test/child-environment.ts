import process from 'node:process'

/** Where programs are, Node's cache, and random lateness (lateness.mjs). */
const PASSED = ['PATH', 'NODE_COMPILE_CACHE', 'HANGAR_LATENESS', 'NODE_OPTIONS']

/** What a process that a test starts gets of this one's environment, before its own. */
export function childEnvironment(): Record<string, string> {
  return Object.fromEntries(
    PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}
