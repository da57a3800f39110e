/** The engine, to be killed. Argument: `EngineConfig` as JSON; keys come in the environment, and with HANGAR_TEST_HELD it stops until SIGCONT. Calls are JSON lines on stdin, events and replies on stdout; it logs to stderr. */
import { stat } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { takeEnvironmentKeys } from '../../src/main/secrets/take-environment-keys.ts'
import type { EngineCall, EngineRequest } from '../../src/shared/contract/calls.ts'
import { runEngine, type EngineConfig } from './engine-parts.ts'

const tell = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const { keys } = await takeEnvironmentKeys()
if (process.env['HANGAR_TEST_HELD'] !== undefined) {
  // Has the thread of the file work run, so that it can be traced.
  await stat('.')
  process.kill(process.pid, 'SIGSTOP')
}
const ledgerPassword = process.env['HANGAR_TEST_LEDGER_PASSWORD']
delete process.env['HANGAR_TEST_LEDGER_PASSWORD']
const config: EngineConfig = {
  ...(JSON.parse(process.argv[2]!) as EngineConfig),
  ...(ledgerPassword !== undefined && { ledgerPassword }),
}
const running = await runEngine(config, keys.image!, (line) => {
  process.stderr.write(line)
})
running.engine.subscribe((event) => tell({ event }))
// It may be killed and never come to write it: the next one starts sooner with it.
flushCompileCache()
tell({ ready: true })

const failed = (error: unknown): void => {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
}
const stop = (): void => {
  running.close(5000).then(() => process.exit(0), failed)
}
process.once('SIGTERM', stop)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, channel, request } = JSON.parse(line) as {
      id: number
      channel: EngineCall
      request: EngineRequest<EngineCall>
    }
    running.engine.call(channel, request).then((result) => tell({ id, result }), failed)
  })
  // The test is gone.
  .on('close', stop)
