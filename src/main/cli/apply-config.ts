import type { PendingCommand } from '../journal/commands.ts'
import { orThrow } from '../engine/ask-engine.ts'
import type { Engine } from '../engine/start-engine.ts'
import type { Cli } from './cli-context.ts'
import type { ConfigChanges, ValueChange } from './config-changes.ts'
import type { CommonFlags } from './options.ts'
import { postCommands, withIdleEngine } from './queue-commands.ts'

type ConfigCommand = Extract<PendingCommand, { kind: 'add_folder' | 'update_folder' | 'change_settings' }>

/**
 * Changes settings and folders as if they had been typed, here or through the Hangar that has the data folder. Pictures that are in a new
 * folder already stay as they are, so nothing is spent. Throws `bad_request` when something was changed meanwhile.
 */
export function applyChanges(
  cli: Cli,
  flags: CommonFlags,
  dataDir: string,
  { settings, change, seen, added, changed }: ConfigChanges,
): Promise<'changed' | 'handedOver'> {
  const commands: ConfigCommand[] = [
    ...(settings.length === 0 ? [] : [{ kind: 'change_settings' as const, changes: change, seen }]),
    ...added.map((folder) => ({ kind: 'add_folder' as const, folder })),
    ...changed.map((folder) => ({
      kind: 'update_folder' as const,
      id: folder.id,
      changes: folder.changes,
      seen: folder.seen,
    })),
  ]
  return withIdleEngine(
    cli,
    flags,
    async (engine) => {
      for (const command of commands) await carryOut(engine, command)
      return 'changed' as const
    },
    () => postCommands(dataDir, commands),
  )
}

async function carryOut({ ask }: Pick<Engine, 'ask'>, command: ConfigCommand): Promise<void> {
  switch (command.kind) {
    case 'change_settings':
      await orThrow(ask.settings.set({ ...command.changes, seen: command.seen }))
      return
    case 'add_folder':
      await orThrow(ask.folders.add({ ...command.folder, existing: 'leave' }))
      return
    case 'update_folder':
      await orThrow(ask.folders.update({ id: command.id, changes: command.changes, seen: command.seen }))
  }
}

const LONGEST = 200

/** `caps.perDay: null → 500` */
export function changeText({ name, from, to }: ValueChange): string {
  return `${name}: ${shortened(valueText(from))} → ${shortened(valueText(to))}`
}

/** A text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const shortened = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
