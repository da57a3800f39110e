import { isDeepStrictEqual } from 'node:util'
import type { Folder } from '../../shared/contract/folders.ts'
import { SETTING_GROUPS, type Settings, type SettingsChange } from '../../shared/settings/settings.ts'
import { merged, namedValues, type Members } from '../../shared/settings/members.ts'
import { entryOf, withEntries } from '../core/aircraft-entries.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import { configSettings, type ConfigFile, type ConfigFolder } from './config-shape.ts'
import type { Cli } from './command.ts'
import { withEngine } from './with-engine.ts'
import { realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { englishText } from '../../shared/sentences/english-text.ts'
import { folderReasonText } from '../../shared/sentences/folder-reason.ts'
import { ownPlaces } from '../watch/own-places.ts'
import { findRefusals, watched } from '../watch/watch-places.ts'
import { memberPath } from '../core/member-path.ts'
import { jsonIn } from '../core/read-json.ts'
import type { Problem } from './config-problems.ts'

/** `name`: a path such as `caps.perDay`. */
export interface ValueChange {
  name: string
  from: unknown
  to: unknown
}

/** The members of a folder that a configuration has. */
type FolderValues = Pick<Folder, 'recipe' | 'include' | 'exclude' | 'alsoTakes' | 'askAbove' | 'paused'>

export interface NewFolder {
  folder: Pick<Folder, 'path'> & FolderValues
  /** What differs from a folder of which only the path is given. */
  values: ValueChange[]
}

interface FolderChange {
  id: string
  path: string
  values: ValueChange[]
  changes: Partial<FolderValues>
}

export interface ConfigChanges {
  settings: ValueChange[]
  change: SettingsChange
  added: NewFolder[]
  changed: FolderChange[]
}

export function configOf(settings: Settings, folders: readonly Folder[]): ConfigFile {
  const { recipe, ...rest } = configSettings(settings)
  return {
    // A name beside the file, since Hangar has no address on the web.
    $schema: './hangar-config.schema.json',
    recipe,
    folders: folders.map(({ id: _, addedAtMs: __, ...folder }) => folder),
    ...rest,
    chargers: { ...rest.chargers, aircraft: rest.chargers.aircraft.map(entryOf) },
  }
}

/** Settings with a name and a value of their own; aircraft are changed by a configuration, each by its name. */
export function singleSettings(settings: Settings): Map<string, unknown> {
  const values = namedValues(configSettings(settings))
  values.delete(AIRCRAFT)
  return values
}

export const AIRCRAFT = 'chargers.aircraft'

/** The configuration has all aircraft that there will be, and a watched folder with the path that it is watched by. */
export function configChanges(
  { folders = [], $schema: _, ...given }: ConfigFile,
  settings: Settings,
  watchedFolders: readonly Folder[],
): ConfigChanges {
  const now = configSettings(settings)
  const next = merged(now, given)
  const change = differing(now, next) as SettingsChange
  // Only what differs of a group, so that its other members may change meanwhile.
  for (const group of SETTING_GROUPS)
    if (change[group] !== undefined) Object.assign(change, { [group]: differing(now[group], next[group]) })
  const changes: ConfigChanges = { settings: differences(now, next), change, added: [], changed: [] }
  for (const folder of folders) {
    const known = watchedFolders.find(({ path }) => path === folder.path)
    if (known === undefined) changes.added.push(newFolder(folder, next.recipe))
    else {
      const change = folderChange(folder, known)
      if (change.values.length > 0) changes.changed.push(change)
    }
  }
  return changes
}

function newFolder({ path, ...given }: ConfigFolder, recipe: Settings['recipe']): NewFolder {
  const plain: FolderValues = { recipe, include: [], exclude: [], alsoTakes: [], askAbove: BURST_LIMIT, paused: false }
  const values = merged(plain, given)
  return { folder: { path, ...values }, values: differences(plain, values) }
}

function folderChange({ path, ...given }: ConfigFolder, { id, ...known }: Folder): FolderChange {
  const { recipe, include, exclude, alsoTakes, askAbove, paused } = known
  const now: FolderValues = { recipe, include, exclude, alsoTakes, askAbove, paused }
  const next = merged(now, given)
  return { id, path, values: differences(now, next), changes: differing(now, next) }
}

function differing(now: object, next: object): object {
  const before = now as Members
  return Object.fromEntries(Object.entries(next).filter(([name, to]) => !isDeepStrictEqual(before[name], to)))
}

function differences(now: object, next: object): ValueChange[] {
  const before = namedValues(now)
  return [...namedValues(next)]
    .map(([name, to]) => ({ name, from: before.get(name), to }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
}

/**
 * Changes settings and folders as if they had been typed. Pictures in a new folder stay as they are; other changes may let a watch send
 * some. Throws for the first that is refused; those before it stay made.
 */
export function applyChanges(cli: Cli, changes: ConfigChanges): Promise<void> {
  const { settings, change, added, changed } = changes
  return withEngine(cli, async (ask) => {
    if (settings.length > 0) await ask('settings.set', change)
    for (const { folder } of added) await ask('folders.add', { ...folder, existing: 'leave' })
    for (const folder of changed) await ask('folders.update', { id: folder.id, changes: folder.changes })
  })
}

const MAX_SHOWN_CHARS = 200

/** `caps.perDay: null → 500` */
export function settingChangeText({ name, from, to }: ValueChange): string {
  return `${name}: ${shortened(valueText(from))} → ${shortened(valueText(to))}`
}

/** A text that reads as JSON, such as "null", is quoted. */
export function valueText(value: unknown): string {
  return typeof value === 'string' && jsonIn(value) === undefined ? value : JSON.stringify(value)
}

const shortened = (text: string) => (text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text)

interface Place {
  /** The file that the configuration is in. */
  file: string
  dataDir: string
  settings: Settings
  folders: readonly Folder[]
}

/** What a configuration changes here, and its folders that are missing, given twice, or not to be watched. */
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

/** Puts the aircraft of the configuration among those that are saved. */
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

/** Folders of the configuration that could not be watched beside all others, and others not any more. */
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
