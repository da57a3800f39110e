import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PLACES, type PlaceName } from '../../shared/presentation/shortcuts.ts'
import { chooseDataDir, defaultDataDir } from '../engine/data-dir.ts'
import process from 'node:process'
import type { App } from 'electron'

/** What a start asks of the Hangar that runs, or of the one that it becomes. */
export interface Wish {
  hidden: boolean
  paths: string[]
  /** The place of the window to open (`--show PLACE`). */
  place: PlaceName | null
  /** Whether sending should be paused; null leaves it as it is. */
  paused: boolean | null
}

export interface StartOptions extends Wish {
  dataDir: string
}

/** Pausing from a menu leaves the window where it is. */
export function wantsWindow({ hidden, paths, place, paused }: Wish): boolean {
  return !hidden && (paused === null || place !== null || paths.length > 0)
}

/** The fragment of the page to open; null leaves the page where it is. */
export function addressOf({ place }: Pick<Wish, 'place'>): string | null {
  return place === null ? null : `#/${place}`
}

const MAX_PATHS = 10_000

/**
 * `args` are the program's own. Unknown options belong to Chromium or the system and are ignored, except after `--`;
 * so is an unknown place. File managers may pass `file:` addresses.
 */
export function startOptions(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartOptions {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { 'data-dir': { type: 'string' }, show: { type: 'string' } },
  })
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const paths = positionals.filter((path) => path !== '')
  const pausing = tokens.findLast((token) => token.kind === 'option' && /^(?:pause|resume)$/.test(token.name))
  const absolute = paths.filter((path) => !path.includes('\0')).map((path) => resolve(cwd, pathOf(path)))
  return {
    dataDir: chooseDataDir(text('data-dir'), env),
    hidden: values['hidden'] === true,
    paths: [...new Set(absolute)].slice(0, MAX_PATHS),
    place: PLACES.find((name) => name === text('show')) ?? null,
    paused: pausing?.kind === 'option' ? pausing.name === 'pause' : null,
  }
}

/** An address that cannot be read stays, and is then reported as a missing file. */
function pathOf(given: string): string {
  if (!/^file:\/\//i.test(given)) return given
  try {
    return fileURLToPath(given)
  } catch {
    return given
  }
}

/** A packaged program is called by its name alone, Electron in a checkout by its name and the path of the app. */
export function ownArguments(argv: readonly string[], isPackaged: boolean): string[] {
  return argv.slice(isPackaged ? 1 : 2)
}

type Program = Pick<App, 'isPackaged' | 'getAppPath'>

/** The command that starts this program. An AppImage runs from a mount that is gone later, so its own file is named. */
export function startCommand(app: Program, env: NodeJS.ProcessEnv, dataDir: string): string[] {
  const program = env['APPIMAGE'] ?? process.execPath
  return [program, ...(app.isPackaged ? [] : [app.getAppPath()]), ...dataDirOption(env, dataDir)]
}

/** None for the data folder of a start without options. */
export function dataDirOption(env: NodeJS.ProcessEnv, dataDir: string): string[] {
  return dataDir === defaultDataDir(process.platform, env) ? [] : ['--data-dir', dataDir]
}
