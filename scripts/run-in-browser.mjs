/** Hangar as `hangar serve`, in a window of a browser where there is one. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { appWindowArguments, findBrowser, isLinuxRoot } from './find-browser.mjs'
import { runNode, say, start } from './project.mjs'
import { writeWayIn } from './way-in.mjs'

/** A browser that hands the page over to one that is open already ends at once. */
const HANDED_OVER_MS = 3000
/** The page that sends the window on is there for as long as its link can be used. */
const LINK_MS = 10 * 60_000

/**
 * Resolves to the exit code of the server, once the window is closed, too. `keys` are variables for the server alone;
 * `isEnding` says whether a person ended it.
 */
export async function runInBrowser({ args, display, keys, isEnding }) {
  const isTty = process.stdin.isTTY === true
  let window = null
  const output = (line) => {
    const event = readEvent(line)
    if (event?.event === 'signedIn') return window?.wayIn.remove()
    if (event?.url === undefined) return process.stdout.write(`${line}\n`)
    if (event.event === 'serving' && display) window = openWindow(event, isEnding)
    if (event.event === 'serving' && window !== null) return
    const more = isTty ? ' "hangar serve --link" prints a new one; Ctrl-C ends Hangar.' : ''
    process.stdout.write(`Open this link within 10 minutes; it works once.${more}\n  ${event.url}\n`)
  }
  const { code } = await runNode(['out/main/cli.js', 'serve', '--json', ...args], { output, env: keys })
  window?.wayIn.remove()
  window?.stop('SIGTERM')
  return code
}

/** Null when there is no browser of that kind. */
function openWindow({ url, dataDir }, isEnding) {
  const browser = findBrowser()
  if (browser === null) return null
  const asRoot = isLinuxRoot()
  if (asRoot) say('Running as root: the browser starts without its sandbox. Better start Hangar as an ordinary user.')
  const profileDir = path.join(dataDir, 'browser')
  mkdirSync(profileDir, { recursive: true, mode: 0o700 })
  say(
    'Hangar opens in a window of its own. Ctrl-C here ends it; "hangar serve --link" prints a link for another browser.',
  )
  const startedMs = performance.now()
  const wayIn = writeWayIn(url, dataDir)
  setTimeout(wayIn.remove, LINK_MS).unref()
  const { ended, stop } = start(browser, appWindowArguments(wayIn.address, profileDir, asRoot), { output: 'capture' })
  const report = ({ code }) => {
    if (isEnding() || (code === 0 && performance.now() - startedMs < HANDED_OVER_MS)) return
    const why = code === 0 ? 'The window is closed' : `The browser ended with ${code}`
    say(`${why}; Hangar goes on. "hangar serve --link" prints a new link; Ctrl-C ends it.`)
  }
  ended.then(report).catch((error) => say(`The window cannot be followed: ${String(error)}`))
  return { wayIn, stop }
}

function readEvent(line) {
  try {
    const event = JSON.parse(line)
    return typeof event?.event === 'string' ? event : null
  } catch {
    return null
  }
}
