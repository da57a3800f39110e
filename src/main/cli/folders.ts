import { resolve } from 'node:path'
import type { Folder } from '../../shared/contract/folders.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { folderReasonText, type FolderReason } from '../../shared/sentences/folder-reason.ts'
import { listText } from '../../shared/text/list-text.ts'
import { storedFolders, storedSettings } from '../engine/stored-settings.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { withEngine } from './with-engine.ts'
import { ownPlaces } from '../watch/own-places.ts'
import { realAsFarAsItExists } from '../watch/real-path.ts'
import { findRootFolder } from '../watch/root-folder.ts'
import { findRefusals, watched } from '../watch/watch-places.ts'

/** `hangar folders`: lists the watched folders, and removes some. */
export function addFoldersCommand(program: CliCommand, cli: Cli): void {
  const folders = program
    .command('folders')
    .summary('list the watched folders, or remove some')
    .description(
      'Lists the remembered folders with their ids, and says why a folder cannot be watched at the moment. Add one with hangar watch DIR.',
    )
    .action(() => listFolders(cli))
  folders
    .command('remove')
    .description('Stops watching folders, now and in later watches. Files, results and jobs stay as they are.')
    .argument('<folder...>', 'paths, or ids as "hangar folders" shows them')
    .action((given: string[]) => removeFolders(cli, given))
}

async function listFolders({ terminal, dataDir }: Cli): Promise<void> {
  const folders = await rememberedFolders(dataDir)
  for (const { folder, state, reason } of folders) {
    const { id, path, recipe, include, exclude, alsoTakes } = folder
    terminal.json({ event: 'folder', id, path, state, reason, include, exclude, alsoTakes, recipe })
    terminal.out(`${id}  ${state.padEnd(8)} ${path}  (${recipe.operation}, ${listText(recipe.languages, 'en')})`)
    if (reason !== null) terminal.out(`${' '.repeat(37)}${folderReasonText(reason)}`)
  }
  if (folders.length === 0) terminal.out('No folder is watched. Add one: hangar watch DIR.')
}

async function removeFolders(cli: Cli, given: string[]): Promise<void> {
  const folders = storedFolders(cli.dataDir)
  const named = [...new Set(await Promise.all(given.map((name) => folderNamed(folders, name, cli.cwd))))]
  const ids = named.map(({ id }) => id)
  await withEngine(cli, async (ask) => {
    for (const id of ids) await ask('folders.remove', { id })
  })
  cli.terminal.json({ event: 'command', folders: ids })
  cli.terminal.out(`${countText(ids.length, 'folder')} removed. Files, results and jobs stay as they are.`)
}

/** By id or by path; the folder need not exist any more. */
async function folderNamed(folders: readonly Folder[], name: string, cwd: string): Promise<Folder> {
  const path = resolve(cwd, name)
  const at = (wanted: string) => folders.find((folder) => folder.path === wanted)
  // A folder may have been replaced by a link since.
  const found = folders.find(({ id }) => id === name.toUpperCase()) ?? at(path) ?? at(await realAsFarAsItExists(path))
  if (found === undefined) throw new AppError('bad_request', say('cli_no_such_folder', { name }))
  return found
}

/** `reason`: why it cannot be watched now. */
export interface RememberedFolder {
  folder: Folder
  state: 'watched' | 'paused' | 'refused' | 'missing'
  reason: FolderReason | null
}

/** Looks at the disk, whether or not an engine runs. */
export async function rememberedFolders(dataDir: string): Promise<RememberedFolder[]> {
  const folders = storedFolders(dataDir)
  const refusals = await findRefusals(folders.map(watched), ownPlaces(dataDir, storedSettings(dataDir).inboxDir))
  return Promise.all(
    folders.map(async (folder, at) => {
      const refusal = refusals[at] ?? null
      const reason = refusal ?? (await whyAway(folder.path))
      const state = refusal !== null ? 'refused' : folder.paused ? 'paused' : reason === null ? 'watched' : 'missing'
      return { folder, state, reason }
    }),
  )
}

async function whyAway(path: string): Promise<FolderReason | null> {
  const root = await findRootFolder(path)
  return root.kind === 'missing' ? root.why : null
}
