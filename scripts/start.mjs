/**
 * `npm start`: sets everything up and opens Hangar. In Electron, where its runtime is there or can be downloaded and
 * a window can be shown; else in the browser, over `hangar serve`. Ctrl-C ends all of it.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { electronRuntime } from './electron-runtime.mjs'
import { appWindowArguments, findBrowser, hasDisplay, isLinuxRoot } from './find-browser.mjs'
import { root, run, runNode, say, start } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

/** A browser that hands the page over to one that is open already ends at once. */
const HANDED_OVER_MS = 3000
const KEY_VARIABLE = /^HANGAR_(?:API_KEY|CHARGER_TOKEN)/
const asRoot = isLinuxRoot()

// Keys are for Hangar itself: no installer, builder or browser started from here inherits one.
const keys = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEY_VARIABLE.test(name)))
for (const name of Object.keys(keys)) delete process.env[name]

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isEnding = true))
let closeWindow = () => undefined

await afterSetUp({ built: true }, async (args) => {
  const display = hasDisplay()
  const electron = display ? await electronRuntime() : null
  if (electron !== null) {
    const code = await runElectron(electron, args)
    // A signal that nobody sent: some systems do not let a program from node_modules have a sandbox.
    if (code !== 130 || isEnding) return code
    say('Electron could not start on this system; the same Hangar opens in a browser instead.')
  } else if (display)
    say("Electron's runtime is not here and cannot be downloaded now; the same Hangar opens in a browser instead.")
  else say('There is no display for a window; the same Hangar is here for a browser.')
  const code = await runInBrowser(args, display)
  closeWindow()
  return code
})

async function runElectron(electron, args) {
  if (asRoot) say('Running as root: Electron starts without its sandbox. Better start Hangar as an ordinary user.')
  const { code } = await run(electron, [root, ...(asRoot ? ['--no-sandbox'] : []), ...args], {
    env: { ...process.env, ...keys },
  })
  return code
}

async function runInBrowser(args, display) {
  const isTty = process.stdin.isTTY === true
  const output = (line) => {
    const event = readEvent(line)
    if (event === null) return process.stdout.write(`${line}\n`)
    const more = isTty ? ' Enter gives a new one; Ctrl-C ends Hangar.' : ''
    if (event.event === 'serving' && display && openWindow(event)) return
    process.stdout.write(`Open this link within a minute; it works once.${more}\n  ${event.url}\n`)
  }
  const { code } = await runNode(['out/main/cli.js', 'serve', '--json', ...args], { output, env: keys })
  return code
}

/** False when there is no browser of that kind, or it could not be started. */
function openWindow({ url, dataDir }) {
  const browser = findBrowser()
  if (browser === null) return false
  if (asRoot) say('Running as root: the browser starts without its sandbox. Better start Hangar as an ordinary user.')
  const profileDir = path.join(dataDir, 'browser')
  mkdirSync(profileDir, { recursive: true, mode: 0o700 })
  say('Hangar opens in a window of its own. Ctrl-C here ends it; Enter gives a link for another browser.')
  const startedMs = performance.now()
  const { ended, stop } = start(browser, appWindowArguments(url, profileDir, asRoot), { output: 'capture' })
  closeWindow = () => stop('SIGTERM')
  const report = ({ code }) => {
    if (isEnding || (code === 0 && performance.now() - startedMs < HANDED_OVER_MS)) return
    const why = code === 0 ? 'The window is closed' : `The browser ended with ${code}`
    say(`${why}; Hangar goes on. Enter, or "hangar serve --link", gives a new link; Ctrl-C ends it.`)
  }
  ended.then(report).catch((error) => say(`The window cannot be followed: ${String(error)}`))
  return true
}

function readEvent(line) {
  try {
    const event = JSON.parse(line)
    return typeof event?.url === 'string' ? event : null
  } catch {
    return null
  }
}
