import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Folder } from '../../shared/contract.ts'
import { AppError } from '../../shared/errors.ts'
import { ExitCode } from '../../shared/exit-codes.ts'
import { folderReasonText, type FolderReason } from '../../shared/folder-reason.ts'
import { callEngine } from '../call-engine.ts'
import { watched } from '../folders.ts'
import { storedFolders } from '../stored-settings.ts'
import { findRootFolder } from '../watch/root-folder.ts'
import { findRefusals } from '../watch/watch-places.ts'
import type { Cli } from './cli-context.ts'
import { chooseDataDir } from './data-dir.ts'
import { countText } from './figures.ts'
import { addCommonOptions, type CommonFlags } from './options.ts'
import { leaveOrders, ORDERED, withQuietEngine } from './orders.ts'

type Finish = (code: ExitCode) => void

/** `hangar folders`: lists the watched folders that are remembered, and removes some. */
export function addFoldersCommand(program: Command, cli: Cli, finish: Finish): void {
  const folders = program
    .command('folders')
    .summary('list the watched folders, or remove some')
    .description(
      'Lists the watched folders that are remembered, by id, and says of each that cannot be watched now why not. Add one with hangar watch DIR.',
    )
  addCommonOptions(folders).action(async (flags: CommonFlags) => finish(await listFolders(cli, flags)))
  const remove = folders
    .command('remove')
    .description('Stops watching folders, now and in later watches. Files, results and jobs stay as they are.')
    .argument('<folder...>', 'paths, or ids as "hangar folders" shows them')
  addCommonOptions(remove).action(async (given: string[], _: CommonFlags, command: Command) =>
    finish(await removeFolders(cli, given, command.optsWithGlobals<CommonFlags>())),
  )
}

async function listFolders(cli: Cli, flags: CommonFlags): Promise<ExitCode> {
  const { terminal } = cli
  const folders = storedFolders(chooseDataDir(flags.dataDir, cli.env))
  const refusals = await findRefusals(folders.map(watched))
  for (const [at, folder] of folders.entries()) {
    const { id, path, paused, recipe, include, exclude } = folder
    const reason = refusals[at] ?? (await whyAway(path))
    const state = refusals[at] != null ? 'refused' : paused ? 'paused' : reason === null ? 'watched' : 'missing'
    if (flags.json === true) {
      terminal.json({ event: 'folder', id, path, state, reason, include, exclude, recipe })
      continue
    }
    terminal.out(`${id}  ${state.padEnd(8)} ${path}  (${recipe.operation}, ${recipe.languages.join(', ')})`)
    if (reason !== null) terminal.out(`${' '.repeat(37)}${folderReasonText(reason)}`)
  }
  if (folders.length === 0 && flags.json !== true) terminal.out('No folder is watched. Add one: hangar watch DIR.')
  return ExitCode.ok
}

async function whyAway(path: string): Promise<FolderReason | null> {
  const root = await findRootFolder(path)
  return root.kind === 'missing' ? root.why : null
}

async function removeFolders(cli: Cli, given: string[], flags: CommonFlags): Promise<ExitCode> {
  const dataDir = chooseDataDir(flags.dataDir, cli.env)
  const folders = storedFolders(dataDir)
  const named = [...new Set(given.map((name) => folderNamed(folders, name, cli.cwd)))]
  const outcome = await withQuietEngine(
    cli,
    flags,
    async (engine) => {
      for (const { id } of named) await callEngine(engine, 'folders.remove', { id })
      return named.length
    },
    () =>
      leaveOrders(
        dataDir,
        named.map(({ id }) => ({ kind: 'remove_folder', id })),
      ),
  )
  const ids = named.map(({ id }) => id)
  if (flags.json === true) cli.terminal.json({ event: 'order', ordered: outcome === 'ordered', folders: ids })
  else if (outcome === 'ordered') cli.terminal.out(ORDERED)
  else cli.terminal.out(`${countText(outcome, 'folder')} removed. Files, results and jobs stay as they are.`)
  return ExitCode.ok
}

/** By id or path as it was given; the folder itself need not exist any more. */
function folderNamed(folders: readonly Folder[], name: string, cwd: string): Folder {
  const path = resolve(cwd, name)
  const found = folders.find((folder) => folder.id === name.toUpperCase() || folder.path === path)
  if (found === undefined)
    throw new AppError('bad_request', `No watched folder has the path or id "${name}". "hangar folders" lists them.`)
  return found
}
