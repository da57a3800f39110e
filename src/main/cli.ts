#!/usr/bin/env node
/** The command line: gathers what comes from outside, runs one command, and ends with its exit status. */
import process from 'node:process'
import type { Cli } from './cli/cli-context.ts'
import { runProgram } from './cli/program.ts'
import { endAtDeadline } from './cli/stopping.ts'
import { processTerminal } from './cli/terminal.ts'
import { ExitCode } from '../shared/exit-codes.ts'
import { createRedactor } from './log/redactor.ts'
import { takeEnvironmentKeys } from './secrets/take-environment-keys.ts'

// First of all, so that nothing started later inherits a key.
const keys = takeEnvironmentKeys(process.env)
keys.catch(() => undefined)

const stopListeners = new Set<() => void>()
let isStopping = false
function stop(): void {
  // The second signal means now. A command that does not listen has nothing to bring to an end.
  if (isStopping || stopListeners.size === 0) process.exit(ExitCode.interrupted)
  isStopping = true
  endAtDeadline(cli.terminal, () => process.exit(ExitCode.interrupted))
  for (const listener of stopListeners) listener()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
if (process.platform === 'win32') {
  // The console is closed, or the user logs off: Windows ends the process after some seconds. And Ctrl+Break.
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
}

// Our own code awaits or watches all it starts: this catches packages, and mistakes.
let isUnsound = false
const say = (error: unknown) =>
  cli.terminal.err(`Something unexpected happened: ${createRedactor().text(String(error))}`)
process.on('unhandledRejection', (error) => {
  isUnsound = true
  say(error)
})
process.on('uncaughtException', (error) => {
  say(error)
  process.exit(ExitCode.internal)
})

const code = await runProgram(process.argv.slice(2), cli)
await cli.terminal.flush()
// Not left to the event loop: a keychain call that hangs or a child that lingers must not keep a finished command.
process.exit(isUnsound && code === ExitCode.ok ? ExitCode.internal : code)
