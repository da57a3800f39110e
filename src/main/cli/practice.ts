import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { withoutUndefined } from '../../shared/settings/without-undefined.ts'
import type { Cli, CliCommand } from './command.ts'
import { wholeNumber } from './parse-options.ts'

interface PracticeFlags {
  port?: number
  credits?: number
  chargers?: number
  seed?: number
  jobTimeMs?: number
  requestLog?: string
  json?: boolean
}

export function addPracticeCommand(program: CliCommand, cli: Cli): void {
  program
    .command('practice')
    .summary('run the practice service alone, until stopped')
    .description(
      'Runs a practice image service and charger service on this computer, and prints their addresses, key and token. Nothing leaves this computer; no real credits are spent.',
    )
    .option('--port <n>', 'the port; without it, a free one', wholeNumber(0, 65_535))
    .option('--credits <n>', 'credits of the practice account (500)', wholeNumber(0, 1_000_000_000))
    .option('--chargers <n>', 'make up this many chargers instead of the samples', wholeNumber(0, 200_000))
    .option('--seed <n>', 'makes job times and made-up chargers the same each time', wholeNumber(0, 2 ** 31))
    .option('--job-time-ms <n>', 'how long each job takes, exactly', wholeNumber(0, 86_400_000))
    .option('--request-log <file>', 'write every request, answer and charge into this file')
    .option('--json', 'print the addresses as one JSON object')
    .plainAction((flags: PracticeFlags) => runPractice(cli, flags))
}

async function runPractice(cli: Cli, flags: PracticeFlags): Promise<void> {
  // Loaded only here: no other command needs the practice service in its own process.
  const { startPractice } = await import('../../practice/server.ts')
  const { port, credits, chargers, seed, jobTimeMs, requestLog } = flags
  const stopped = new Promise<void>((resolve) => cli.onStop(resolve))
  const server = await startPractice(
    withoutUndefined({
      port,
      credits,
      chargers,
      seed,
      jobTime: jobTimeMs === undefined ? undefined : { kind: 'fixed', ms: jobTimeMs },
      ledgerFile: requestLog,
    }),
  ).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new AppError('bad_request', say('port_taken', { port: String(port ?? 0) }), { cause: error })
      : error
  })
  const { imageBaseUrl, chargerBaseUrl, apiKey, partnerToken } = server
  cli.terminal.json({ type: 'ready', imageBaseUrl, chargerBaseUrl, apiKey, partnerToken })
  for (const line of [
    'The practice service is running. Nothing leaves this computer, and no real credits are spent.',
    `  Image service    ${imageBaseUrl}`,
    `  API key          ${apiKey}`,
    `  Charger service  ${chargerBaseUrl}   (sample data, not for navigation)`,
    `  Partner token    ${partnerToken}`,
    'Stop it with Ctrl+C.',
  ])
    cli.terminal.out(line)
  await stopped
  await server.close()
}
