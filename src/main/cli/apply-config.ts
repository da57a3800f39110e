import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { orThrow } from '../../shared/contract/call.ts'
import { configure, type ConfigCommand } from '../engine/calls/calls.ts'
import { storedFolders, storedSettings } from '../engine/stored-settings.ts'
import type { Cli } from './cli-context.ts'
import { namedValues } from '../../shared/settings/members.ts'
import { configSettings, type ConfigChanges, type ValueChange } from './config-changes.ts'
import type { CommonFlags } from './options.ts'
import { postCommands, withIdleEngine } from './queue-commands.ts'

/** Time for a running Hangar to make changes. */
const PATIENCE_MS = 10_000

/** Who makes the changes, this process or another Hangar; and whether all of them are made. */
export interface Applied {
  by: 'this' | 'other'
  changed: boolean
}

/**
 * Changes settings and folders as if they had been typed, here or through the Hangar that has the data folder. Pictures that are in a new
 * folder already stay as they are; other changes may let a watch send some. Waits for the other Hangar for a while, so that the next
 * command sees what this one changed.
 */
export async function applyChanges(
  cli: Cli,
  flags: CommonFlags,
  dataDir: string,
  changes: ConfigChanges,
): Promise<Applied> {
  const { settings, change, added, changed } = changes
  const commands: ConfigCommand[] = [
    ...(settings.length === 0 ? [] : [{ kind: 'change_settings' as const, changes: change }]),
    ...added.map(({ folder }) => ({ kind: 'add_folder' as const, folder })),
    ...changed.map((folder) => ({ kind: 'update_folder' as const, id: folder.id, changes: folder.changes })),
  ]
  const outcome = await withIdleEngine(
    cli,
    flags,
    async (engine) => {
      for (const command of commands) await orThrow(configure(engine, command))
      return 'changed' as const
    },
    () => postCommands(dataDir, commands),
  )
  if (outcome === 'changed') return { by: 'this', changed: true }
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await setTimeout(100))
    if (isStored(dataDir, changes)) return { by: 'other', changed: true }
  return { by: 'other', changed: false }
}

function isStored(dataDir: string, { settings, added, changed }: ConfigChanges): boolean {
  const values = namedValues(configSettings(storedSettings(dataDir)))
  const folders = storedFolders(dataDir)
  const has = (holder: object | undefined, members: object) =>
    holder !== undefined && isDeepStrictEqual({ ...holder, ...members }, holder)
  return (
    settings.every(({ name, to }) => isDeepStrictEqual(values.get(name), to)) &&
    added.every(({ folder: { path } }) => folders.some((folder) => folder.path === path)) &&
    changed.every((folder) =>
      has(
        folders.find(({ id }) => id === folder.id),
        folder.changes,
      ),
    )
  )
}

/** What became of changes that were handed over, for people; null for those made here. */
export function handedOverText({ by, changed }: Applied): string | null {
  if (by === 'this') return null
  return changed
    ? 'Changed by the running Hangar.'
    : 'Handed over to the running Hangar, which has not made all changes yet. "hangar status" says so if it cannot.'
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
