import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { promisify } from 'node:util'
import { MACHINE, wineEnvironment } from './wine-environment.ts'

/** After all tests: ends Wine's server, and with it what a killed Hangar left running. It fails where none runs, which is as well. */
export async function teardown(): Promise<void> {
  const env = { ...process.env, ...wineEnvironment(MACHINE) }
  if (existsSync(env.WINEPREFIX)) await promisify(execFile)('wineserver', ['--kill'], { env }).catch(() => undefined)
}
