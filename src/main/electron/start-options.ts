import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLACES, type PlaceName } from '../../shared/presentation/shortcuts.ts'
import { chooseDataDir } from '../engine/data-dir.ts'

/** What a start asks of the Hangar that runs, or of the one that it becomes. */
export interface Wish {
  /** Start without a window, as at login. */
  hidden: boolean
  /** Absolute paths of what the person wants processed. */
  paths: string[]
  /** The place of the window to open (`--show PLACE`). */
  place: PlaceName | null
  /** Whether sending should be paused; null leaves it as it is. */
  paused: boolean | null
}

export interface StartOptions extends Wish {
  dataDir: string
}

/** Whether the window should come to the front. Pausing from a menu leaves it where it is. */
export function wantsWindow({ hidden, paths, place, paused }: Wish): boolean {
  return !hidden && (paused === null || place !== null || paths.length > 0)
}

/** The fragment of the page for what a start asks for; null leaves the page where it is. */
export function addressOf({ place }: Pick<Wish, 'place'>): string | null {
  return place === null ? null : `#/${place}`
}

const MAX_PATHS = 10_000

/**
 * What a start asks for. `args` are the program's own, without its name; unknown options belong to Chromium or the
 * system and are ignored, except after `--`, and so is an unknown place. Relative paths are resolved against `cwd`; file managers
 * may pass `file:` addresses instead.
 */
export function startOptions(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartOptions {
  const paths: string[] = []
  let dataDir: string | undefined
  let hidden = false
  let place: string | undefined
  let paused: boolean | null = null
  for (let n = 0; n < args.length; n += 1) {
    const arg = args[n] as string
    if (arg === '--') {
      paths.push(...args.slice(n + 1))
      break
    }
    if (arg === '--hidden') hidden = true
    else if (arg === '--data-dir') dataDir = args[(n += 1)]
    else if (arg.startsWith('--data-dir=')) dataDir = arg.slice('--data-dir='.length)
    else if (arg === '--show') place = args[(n += 1)]
    else if (arg.startsWith('--show=')) place = arg.slice('--show='.length)
    else if (arg === '--pause') paused = true
    else if (arg === '--resume') paused = false
    else if (!arg.startsWith('-') && arg !== '') paths.push(arg)
  }
  const absolute = paths.filter((path) => !path.includes('\0')).map((path) => resolve(cwd, pathOf(path)))
  return {
    dataDir: chooseDataDir(dataDir, env),
    hidden,
    paths: [...new Set(absolute)].slice(0, MAX_PATHS),
    place: PLACES.find((name) => name === place) ?? null,
    paused,
  }
}

/** An address that is no file's stays as it is: it is then named as a file that is not there. */
function pathOf(given: string): string {
  if (!/^file:\/\//i.test(given)) return given
  try {
    return fileURLToPath(given)
  } catch {
    return given
  }
}

/** A packaged program is called by its name alone; Electron from a checkout by its name and the app's path. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  return argv.slice(isPackaged ? 1 : 2)
}
