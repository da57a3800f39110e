import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Folder } from '../../shared/contract/folders.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { folderReasonText } from '../../shared/sentences/folder-reason.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { withEntries } from '../core/aircraft-entries.ts'
import { ownPlaces } from '../watch/own-places.ts'
import { findRefusals, watched } from '../watch/watch-places.ts'
import { configChanges, type ConfigChanges } from './config-changes.ts'
import type { ConfigFile } from './config-shape.ts'
import { memberPath } from '../core/member-path.ts'
import type { Problem } from './config-problems.ts'

interface Place {
  /** The file that the configuration is in. */
  file: string
  dataDir: string
  settings: Settings
  folders: readonly Folder[]
}

/** What a configuration changes here, and what of it cannot be: folders that are missing, given twice, or not to be watched. */
export async function placeConfig(
  config: ConfigFile,
  place: Place,
): Promise<{ changes: ConfigChanges; problems: Problem[] }> {
  const { dataDir, settings, folders } = place
  const { placed: located, problems } = await withRealPaths(config, place)
  const placed = withAllAircraft(located, settings, problems)
  const changes = configChanges(placed, settings, folders)
  if (problems.length === 0) problems.push(...(await refusalsOf(placed, changes, { folders, dataDir, settings })))
  return { changes, problems }
}

/** With all aircraft that there are then: those of the configuration among those that are saved. */
function withAllAircraft(config: ConfigFile, { chargers: saved }: Settings, problems: Problem[]): ConfigFile {
  const { chargers } = config
  if (chargers?.aircraft === undefined) return config
  const { aircraft, problems: more } = withEntries(saved.aircraft, chargers.aircraft)
  for (const { path, why } of more)
    problems.push({ path: memberPath(['chargers', 'aircraft', ...path]), message: englishText(why) })
  return { ...config, chargers: { ...chargers, aircraft } }
}

async function withRealPaths(config: ConfigFile, { file, folders: known }: Place) {
  const dir = dirname(file)
  const problems: Problem[] = []
  const knownByRealPath = new Map<string, string>()
  for (const { path } of known) knownByRealPath.set((await realFolder(path)) ?? path, path)
  const firstAt = new Map<string, number>()
  const folders: NonNullable<ConfigFile['folders']> = []
  for (const [at, folder] of (config.folders ?? []).entries()) {
    const named = resolve(dir, folder.path)
    const real = await realFolder(named)
    const path = real === null ? folder.path : (knownByRealPath.get(real) ?? real)
    const first = firstAt.get(path)
    const wrong = (message: string) => problems.push({ path: `folders[${at}].path`, message })
    if (real === null) wrong(`There is no folder ${folder.path}. Make it, or leave this entry out.`)
    else if (first !== undefined) wrong(`This is the same folder as folders[${first}]. Leave one of them out.`)
    firstAt.set(path, first ?? at)
    folders.push({ ...folder, path, ...(folder.recipe && { recipe: withOutputBelow(dir, folder.recipe) }) })
  }
  const placed: ConfigFile = {
    ...config,
    ...(config.recipe && { recipe: withOutputBelow(dir, config.recipe) }),
    ...(config.folders && { folders }),
  }
  return { placed, problems }
}

type PartialRecipe = NonNullable<ConfigFile['recipe']>

function withOutputBelow(dir: string, recipe: PartialRecipe): PartialRecipe {
  const { output } = recipe
  return output?.kind === 'folder' ? { ...recipe, output: { ...output, dir: resolve(dir, output.dir) } } : recipe
}

async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : null
  } catch {
    return null
  }
}

/** Why folders of the configuration could not be watched beside all others, and others not any more. */
async function refusalsOf(
  { folders: given = [] }: ConfigFile,
  { added, changed }: ConfigChanges,
  { folders, dataDir, settings }: Pick<Place, 'folders' | 'dataDir' | 'settings'>,
): Promise<Problem[]> {
  const own = ownPlaces(dataDir, settings.inboxDir)
  const before = await findRefusals(folders.map(watched), own)
  const after = [
    ...folders.map((folder) => ({ ...folder, ...changed.find(({ id }) => id === folder.id)?.changes })),
    ...added.map(({ folder }, n) => ({ ...folder, id: `new ${n}`, addedAtMs: 0 })),
  ]
  const refusals = await findRefusals(after.map(watched), own)
  return after.flatMap(({ path }, n): Problem[] => {
    const reason = refusals[n] ?? null
    const at = given.findIndex((folder) => folder.path === path)
    if (reason === null || (at === -1 && before[n] !== null)) return []
    if (at === -1)
      return [{ path: 'folders', message: `${path} could not be watched any more. ${folderReasonText(reason)}` }]
    return [{ path: `folders[${at}]`, message: folderReasonText(reason) }]
  })
}
