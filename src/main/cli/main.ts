import process from 'node:process'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { endProcess } from '../engine/end-process.ts'
import { createRedactor } from '../log/redactor.ts'
import { takeEnvironmentKeys } from '../secrets/take-environment-keys.ts'
import type { Cli } from './command.ts'
import { processTerminal } from './terminal.ts'
import { runProgram } from './program.ts'
import { endAtDeadline } from './stopping.ts'

// Before anything else, so that no child process inherits a key.
const keys = takeEnvironmentKeys(process.env)
keys.catch(() => undefined)

const stopListeners = new Set<() => void>()
let isStopping = false
function stop(): void {
  // A second signal ends at once. A command without a listener has nothing to finish.
  if (isStopping || stopListeners.size === 0) endProcess(ExitCode.interrupted)
  isStopping = true
  endAtDeadline(cli.terminal, () => endProcess(ExitCode.interrupted))
  for (const listener of stopListeners) listener()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
if (process.platform === 'win32') {
  // The console was closed or the user logs off, after which Windows ends the process within seconds.
  process.on('SIGHUP', stop)
  process.on('SIGBREAK', stop)
}

const cli: Cli = {
  terminal: processTerminal(),
  env: process.env,
  cwd: process.cwd(),
  keys: () => keys,
  onStop: (listener) => {
    stopListeners.add(listener)
    return () => stopListeners.delete(listener)
  },
  options: {},
  dataDir: '',
}

// Our own code awaits or guards everything: these are errors of packages, and bugs.
let isUnsound = false
const say = (error: unknown) =>
  cli.terminal.err(`Something unexpected happened: ${createRedactor().text(String(error))}`)
process.on('unhandledRejection', (error) => {
  isUnsound = true
  say(error)
})
process.on('uncaughtException', (error) => {
  say(error)
  endProcess(ExitCode.internal)
})

const code = await runProgram(process.argv.slice(2), cli)
await cli.terminal.flush()
// A hanging keychain call or a lingering child must not keep a finished command alive.
endProcess(isUnsound && code === ExitCode.ok ? ExitCode.internal : code)
