import { isDeepStrictEqual } from 'node:util'
import type { Folder } from '../../shared/contract/folders.ts'
import { SETTING_GROUPS, type Settings, type SettingsChange } from '../../shared/settings/settings.ts'
import { merged, namedValues, type Members } from '../../shared/settings/members.ts'
import { entryOf } from '../core/aircraft-entries.ts'
import { BURST_LIMIT } from '../core/spend-guard.ts'
import { configSettings, type ConfigFile, type ConfigFolder, type ConfigSettings } from './config-shape.ts'
import type { Cli } from './terminal.ts'
import type { CommonFlags } from './options.ts'
import { withEngine } from './with-engine.ts'

/** What a configuration changes of one setting: its name is a path such as `caps.perDay`. */
export interface ValueChange {
  name: string
  from: unknown
  to: unknown
}

/** The members of a folder that a configuration has. */
export type FolderValues = Pick<Folder, 'recipe' | 'include' | 'exclude' | 'alsoTakes' | 'askAbove' | 'paused'>

export interface NewFolder {
  folder: Pick<Folder, 'path'> & FolderValues
  /** What differs from a folder of which only the path is given. */
  values: ValueChange[]
}

export interface FolderChange {
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

/** The configuration of this computer. */
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

/** The settings that have a name and a value of their own. Aircraft are changed by a configuration, each by its name. */
export function singleSettings(settings: Settings): Map<string, unknown> {
  const values = namedValues(configSettings(settings))
  values.delete(AIRCRAFT)
  return values
}

export const AIRCRAFT = 'chargers.aircraft'

/**
 * What a configuration would change; it has all aircraft there are then. The paths of its folders are those of watched folders, where they are
 * the same folder.
 */
export function configChanges(
  { folders = [], $schema: _, ...given }: ConfigFile,
  settings: Settings,
  watchedFolders: readonly Folder[],
): ConfigChanges {
  const now = configSettings(settings)
  const next = merged(now, given)
  const names = Object.keys(now) as (keyof ConfigSettings)[]
  const changedNames = names.filter((name) => !isDeepStrictEqual(now[name], next[name]))
  // Of a group only what differs, so that other members may change meanwhile.
  const change = Object.fromEntries(
    changedNames.map((name) => [name, isSettingGroup(name) ? differing(now[name], next[name]) : next[name]]),
  ) as SettingsChange
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
  const names = (Object.keys(now) as (keyof FolderValues)[]).filter((name) => !isDeepStrictEqual(now[name], next[name]))
  const changes = Object.fromEntries(names.map((name) => [name, next[name]]))
  return { id, path, values: differences(now, next), changes }
}

const isSettingGroup = (name: string): name is (typeof SETTING_GROUPS)[number] =>
  SETTING_GROUPS.some((group) => group === name)

/** The members that are others by now. */
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
 * Changes settings and folders as if they had been typed. Pictures that are in a new folder already stay as they are; other changes may
 * let a watch send some. Throws for the first that is refused; those before it stay made.
 */
export function applyChanges(cli: Cli, flags: CommonFlags, changes: ConfigChanges): Promise<void> {
  const { settings, change, added, changed } = changes
  return withEngine(cli, flags, async (ask) => {
    if (settings.length > 0) await ask('settings.set', change)
    for (const { folder } of added) await ask('folders.add', { ...folder, existing: 'leave' })
    for (const folder of changed) await ask('folders.update', { id: folder.id, changes: folder.changes })
  })
}

const LONGEST = 200

/** `caps.perDay: null → 500` */
export function changeText({ name, from, to }: ValueChange): string {
  return `${name}: ${shortened(valueText(from))} → ${shortened(valueText(to))}`
}

/** A text as it is, unless it could be taken for something else, as "null" could; anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
