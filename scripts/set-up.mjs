/** Runs a script's own work after set-up, and turns what set-up throws into one line and exit status 1. */
import process from 'node:process'
import { build } from './build.mjs'
import { installPackages } from './install-packages.mjs'
import { installSystemPackages } from './install-system-packages.mjs'
import { leaveSignalsToChildren, say } from './project.mjs'

/**
 * npm packages always; system packages (`system`: those of the quick suite or `all`) and the build (`built`) when asked for.
 * `work` resolves to the exit code.
 */
export async function afterSetUp({ system = null, built = false }, work) {
  leaveSignalsToChildren()
  try {
    // Side by side: both mostly wait for the network and the disk.
    const systemPackages = system === null ? null : installSystemPackages(system)
    await installPackages()
    await systemPackages
    if (built) await build()
    process.exitCode = await work(process.argv.slice(2))
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
