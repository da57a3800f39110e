import { open } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say, type Sentence } from '../../shared/sentences/sentence.ts'
import type { SecretName } from '../../shared/runtime/ports.ts'
import { checkKey } from './check-key.ts'

/** Where each key may come from: the variable itself, or the same name with `_FILE` for a file that holds it. */
const VARIABLES: Record<SecretName | 'hooks', string> = {
  image: 'HANGAR_API_KEY',
  chargers: 'HANGAR_CHARGER_TOKEN',
  ledger: 'HANGAR_LEDGER_PASSWORD',
  hooks: 'HANGAR_HOOK_SECRET',
}
export const METRICS_VARIABLE = 'HANGAR_METRICS_TOKEN'

/** Twice the longest key: room for white space, and an end for a file that has none. */
const FILE_CAP_BYTES = 8192

/** A variable and the same name with `_FILE` as they were set; undefined for one that was not. */
export interface GivenVariable {
  text: string | undefined
  file: string | undefined
}

export interface EnvironmentKeys {
  /** `hooks`: what signs the posts of hooks. */
  keys: Partial<Record<keyof typeof VARIABLES, string>>
  /** For people: a key file that others can read. Names the variable, not the place. */
  warnings: string[]
  /** Neither read nor checked: only `hangar serve` has metrics, and no other command fails because of this. */
  metrics: GivenVariable
}

/**
 * Reads the keys that the environment gives and takes them out of it, so that no child inherits them. Call it once,
 * at start, before anything is spawned. An empty variable counts as none.
 * Throws `bad_request` for a key that cannot be one, a file that cannot be read, or a variable given both ways; the
 * variables are gone from `environment` in that case too.
 */
export async function takeEnvironmentKeys(environment: NodeJS.ProcessEnv = process.env): Promise<EnvironmentKeys> {
  const taken = (Object.entries(VARIABLES) as [keyof typeof VARIABLES, string][]).map(([name, variable]) => ({
    name,
    variable,
    given: takeVariable(environment, variable),
  }))
  const result: EnvironmentKeys = { keys: {}, warnings: [], metrics: takeVariable(environment, METRICS_VARIABLE) }
  for (const { name, variable, given } of taken) {
    const [text, file] = [given.text?.trim() ?? '', given.file?.trim() ?? '']
    if (text !== '' && file !== '') {
      throw new AppError('bad_request', say('key_given_twice', { variable }))
    }
    if (text !== '') result.keys[name] = checkKey(text, raw(variable))
    if (file === '') continue
    const read = await readKeyFile(file, `${variable}_FILE`, environment)
    result.keys[name] = read.key
    result.warnings.push(...read.warnings)
  }
  return result
}

/**
 * The key that is alone in a file, and warnings for people when others can read it. `named` is the variable or option that names the
 * file; `check` takes white space off and throws for what cannot be a key. Throws `bad_request` for that, or a file that cannot be
 * read.
 */
export async function readKeyFile(
  file: string,
  named: string,
  environment: NodeJS.ProcessEnv,
  check: (text: string, what: Sentence) => string = checkKey,
): Promise<{ key: string; warnings: string[] }> {
  const { text, readableByOthers } = await readSmallFile(file, named)
  const isOpen = readableByOthers && !isServiceCredential(environment, file)
  return {
    key: check(text, say('key_file_named', { variable: named })),
    warnings: isOpen ? [`Other users of this computer can read the file in ${named}: chmod 600 takes that away.`] : [],
  }
}

function takeVariable(environment: NodeJS.ProcessEnv, variable: string): GivenVariable {
  const given = { text: environment[variable], file: environment[`${variable}_FILE`] }
  delete environment[variable]
  delete environment[`${variable}_FILE`]
  return given
}

async function readSmallFile(file: string, variable: string): Promise<{ text: string; readableByOthers: boolean }> {
  try {
    // Not readFile: the file may be a pipe, or endless.
    const handle = await open(file, 'r')
    try {
      const buffer = Buffer.alloc(FILE_CAP_BYTES + 1)
      let length = 0
      for (let bytesRead = -1; bytesRead !== 0 && length < buffer.length; length += bytesRead) {
        bytesRead = (await handle.read(buffer, length, buffer.length - length)).bytesRead
      }
      if (length > FILE_CAP_BYTES) {
        throw new AppError('bad_request', say('key_file_unreadable', { variable, code: 'EFBIG' }))
      }
      const stat = await handle.stat()
      const othersCanRead = process.platform !== 'win32' && stat.isFile() && (stat.mode & 0o044) !== 0
      return { text: buffer.toString('utf8', 0, length), readableByOthers: othersCanRead }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw new AppError('bad_request', say('key_file_unreadable', { variable, code }), {
      cause: error,
    })
  }
}

/** systemd shows its private credential files with a group mode that stands for an access list, not for a group. */
function isServiceCredential(environment: NodeJS.ProcessEnv, file: string): boolean {
  const folder = environment['CREDENTIALS_DIRECTORY']
  return folder !== undefined && path.dirname(path.resolve(file)) === path.resolve(folder)
}
