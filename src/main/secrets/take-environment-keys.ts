import { open } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import type { SecretName } from '../../shared/runtime/ports.ts'
import { checkKey } from './key.ts'

/** The variable of each key; with `_FILE`, that of a file that holds it. */
const VARIABLES: Record<SecretName | 'hooks' | 'metrics', string> = {
  image: 'HANGAR_API_KEY',
  chargers: 'HANGAR_CHARGER_TOKEN',
  ledger: 'HANGAR_LEDGER_PASSWORD',
  hooks: 'HANGAR_HOOK_SECRET',
  metrics: 'HANGAR_METRICS_TOKEN',
}

/** Room for white space, and an end for a file that has none. */
const FILE_CAP_BYTES = 8192

export interface EnvironmentKeys {
  /** `hooks`: what signs the posts of hooks. `metrics`: what a monitor has to bring. */
  keys: Partial<Record<keyof typeof VARIABLES, string>>
  /** For people: a key file that others can read. */
  warnings: string[]
  /** Why what was given for `metrics` is none: only the command that needs it fails. */
  metricsProblem?: AppError
}

/**
 * Reads the keys of the environment and removes them from it, before anything is spawned that could inherit them. An empty variable
 * counts as none. Throws `bad_request` for a malformed key, an unreadable file, or a variable given both ways.
 */
export async function takeEnvironmentKeys(environment: NodeJS.ProcessEnv = process.env): Promise<EnvironmentKeys> {
  const take = (variable: string) => {
    const given = environment[variable]?.trim() ?? ''
    delete environment[variable]
    return given
  }
  const taken = (Object.entries(VARIABLES) as [keyof typeof VARIABLES, string][]).map(([name, variable]) => ({
    name,
    variable,
    text: take(variable),
    file: take(`${variable}_FILE`),
  }))
  const result: EnvironmentKeys = { keys: {}, warnings: [] }
  for (const { name, variable, text, file } of taken)
    try {
      if (text !== '' && file !== '') throw new AppError('bad_request', say('key_given_twice', { variable }))
      if (text !== '') result.keys[name] = checkKey(text, raw(variable))
      if (file === '') continue
      const read = await readKeyFile(file, `${variable}_FILE`, environment)
      result.keys[name] = read.key
      result.warnings.push(...read.warnings)
    } catch (error) {
      if (name !== 'metrics') throw error
      result.metricsProblem = error as AppError
    }
  return result
}

/** The key in a file that `variable`, or an option, names. Throws `bad_request`. */
export async function readKeyFile(
  file: string,
  variable: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ key: string; warnings: string[] }> {
  try {
    // Not readFile: the file may be a pipe, or endless.
    const handle = await open(file, 'r')
    try {
      const buffer = Buffer.alloc(FILE_CAP_BYTES + 1)
      let length = 0
      for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
        bytesRead = (await handle.read(buffer, length, buffer.length - length)).bytesRead
      }
      if (length > FILE_CAP_BYTES)
        throw new AppError('bad_request', say('key_malformed', { what: say('key_file_named', { variable }) }))
      const stat = await handle.stat()
      const othersCanRead = process.platform !== 'win32' && stat.isFile() && (stat.mode & 0o044) !== 0
      const isOpen = othersCanRead && !isServiceCredential(environment, file)
      return {
        key: checkKey(buffer.toString('utf8', 0, length), say('key_file_named', { variable })),
        warnings: isOpen
          ? [`Other users of this computer can read the file in ${variable}: chmod 600 takes that away.`]
          : [],
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new AppError('bad_request', say('key_file_unreadable', { variable, code }), { cause: error })
  }
}

/** systemd shows its private credential files with a group mode that stands for an access list, not for a group. */
function isServiceCredential(environment: NodeJS.ProcessEnv, file: string): boolean {
  const folder = environment['CREDENTIALS_DIRECTORY']
  return folder !== undefined && path.dirname(path.resolve(file)) === path.resolve(folder)
}
