import { chooseDataDir } from '../engine/data-dir.ts'

const PLAIN = /^[\w@%+=:,./-]+$/
const PLAIN_ON_WINDOWS = /^[\w@+=:,.\\/-]+$/

/**
 * A command line of this program as a person types it in any terminal, for this data folder. `HANGAR_RUN_AS` says how the
 * program is started where `hangar` is no command of the system, as in a checkout.
 */
export function typedCommand(args: readonly string[], { dataDir, env, platform = process.platform }: Where): string {
  const isDefault = dataDir === chooseDataDir(undefined, { ...env, HANGAR_DATA_DIR: undefined })
  const all = [...args, ...(isDefault ? [] : ['--data-dir', dataDir])].map((part) => quoted(part, platform))
  return [env['HANGAR_RUN_AS'] ?? 'hangar', ...all].join(' ')
}

interface Where {
  dataDir: string
  env: NodeJS.ProcessEnv
  platform?: NodeJS.Platform
}

/** As one word for the shell of a terminal: POSIX, or Windows' own (where a path cannot hold a quotation mark). */
export function quoted(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return PLAIN_ON_WINDOWS.test(word) ? word : `"${word}"`
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
