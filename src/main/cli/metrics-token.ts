import { resolve } from 'node:path'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import { METRICS_VARIABLE, readKeyFile } from '../secrets/take-environment-keys.ts'
import type { Cli } from './cli-context.ts'

/** Enough that nobody guesses a random one, even at thousands of tries a second. */
const FEWEST_CHARACTERS = 16
const MOST_CHARACTERS = 4096

/**
 * What a monitor has to bring for `/metrics`: from the file of `--metrics-token-file`, or from the environment; null where neither is
 * set. Throws `bad_request` for a token that cannot be one, a variable that is set but blank or given both ways, or a file that cannot
 * be read.
 */
export async function metricsTokenOf(cli: Cli, file: string | undefined): Promise<string | null> {
  if (file !== undefined) return tokenIn(cli, resolve(cli.cwd, file), '--metrics-token-file')
  const { metrics: given } = await cli.keys()
  if (given.text !== undefined && given.file !== undefined)
    throw new AppError('bad_request', say('key_given_twice', { variable: METRICS_VARIABLE }))
  if (given.text !== undefined) return checkToken(given.text, raw(METRICS_VARIABLE))
  return given.file === undefined ? null : tokenIn(cli, given.file.trim(), `${METRICS_VARIABLE}_FILE`)
}

async function tokenIn(cli: Cli, file: string, named: string): Promise<string> {
  const { key, warnings } = await readKeyFile(file, named, cli.env, checkToken)
  for (const warning of warnings) cli.terminal.err(warning)
  return key
}

/** Printable ASCII without spaces, as in a header. The error never repeats it. */
function checkToken(text: string, what: Sentence): string {
  const token = text.trim()
  if (token.length >= FEWEST_CHARACTERS && token.length <= MOST_CHARACTERS && /^[\x21-\x7e]+$/.test(token)) return token
  throw new AppError(
    'bad_request',
    say('cli_metrics_token_unusable', { what, fewest: FEWEST_CHARACTERS, most: MOST_CHARACTERS }),
  )
}
