/**
 * `npm start`: sets everything up and opens Hangar. In Electron, where its runtime is there or can be downloaded and
 * a window can be shown; else in the browser, over `hangar serve`. Ctrl-C ends all of it.
 */
import process from 'node:process'
import { electronRuntime } from './electron-runtime.mjs'
import { hasDisplay, isLinuxRoot } from './find-browser.mjs'
import { root, run, say } from './project.mjs'
import { runInBrowser } from './run-in-browser.mjs'
import { afterSetUp } from './set-up.mjs'

const KEY_VARIABLE = /^HANGAR_(?:API_KEY|CHARGER_TOKEN)/
const asRoot = isLinuxRoot()

// Keys are for Hangar itself: no installer, builder or browser started from here inherits one.
const keys = Object.fromEntries(Object.entries(process.env).filter(([name]) => KEY_VARIABLE.test(name)))
for (const name of Object.keys(keys)) delete process.env[name]

let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isEnding = true))

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
  return runInBrowser({ args, display, keys, isEnding: () => isEnding })
})

async function runElectron(electron, args) {
  if (asRoot) say('Running as root: Electron starts without its sandbox. Better start Hangar as an ordinary user.')
  const { code } = await run(electron, [root, ...(asRoot ? ['--no-sandbox'] : []), ...args], {
    env: { ...process.env, ...keys },
  })
  return code
}
