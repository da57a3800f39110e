import { resolve } from 'node:path'
import { chooseDataDir } from '../engine/data-dir.ts'

export interface StartOptions {
  dataDir: string
  /** Start without a window, as at login. */
  hidden: boolean
  /** Absolute paths of what the person wants processed. */
  paths: string[]
}

const MAX_PATHS = 10_000

/**
 * What a start asks for. `args` are the program's own, without its name; unknown options belong to Chromium or the
 * system and are ignored, except after `--`. Relative paths are resolved against `cwd`.
 */
export function startOptions(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartOptions {
  const paths: string[] = []
  let dataDir: string | undefined
  let hidden = false
  for (let n = 0; n < args.length; n += 1) {
    const arg = args[n] as string
    if (arg === '--') {
      paths.push(...args.slice(n + 1))
      break
    }
    if (arg === '--hidden') hidden = true
    else if (arg === '--data-dir') dataDir = args[(n += 1)]
    else if (arg.startsWith('--data-dir=')) dataDir = arg.slice('--data-dir='.length)
    else if (!arg.startsWith('-') && arg !== '') paths.push(arg)
  }
  const absolute = paths.filter((path) => !path.includes('\0')).map((path) => resolve(cwd, path))
  return { dataDir: chooseDataDir(dataDir, env), hidden, paths: [...new Set(absolute)].slice(0, MAX_PATHS) }
}

/** A packaged program is called by its name alone; Electron from a checkout by its name and the app's path. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  return argv.slice(isPackaged ? 1 : 2)
}
