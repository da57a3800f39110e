/** `npm start` where there is a display but no runtime of Electron, without looking for that runtime. */
import process from 'node:process'
import { leaveSignalsToChildren } from '../../scripts/project.mjs'
import { runInBrowser } from '../../scripts/run-in-browser.mjs'

leaveSignalsToChildren()
process.exitCode = await runInBrowser({
  args: process.argv.slice(2),
  display: true,
  keys: {},
  isEnding: () => true,
})
