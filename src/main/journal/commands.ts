import { z } from 'zod'
import { Folder } from '../../shared/contract/folders.ts'
import { TextEdits } from '../../shared/contract/texts.ts'
import { SettingsChange } from '../../shared/settings/settings.ts'
import { type Db, prepared, transact } from './journal.ts'

const FolderChanges = Folder.pick({ recipe: true, include: true, exclude: true, paused: true })
  .extend({ alsoTakes: Folder.shape.alsoTakes.unwrap(), askAbove: Folder.shape.askAbove.unwrap() })
  .partial()

/**
 * What another process, such as `hangar retry`, may ask of the engine that holds the data folder. The process writes a
 * row; the engine sees that the data folder changed and carries rows out, so that no command has to wait for a lock.
 */
export const PendingCommand = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('retry'), ids: z.array(z.string()), all: z.boolean() }),
  z.object({
    kind: z.literal('resolve'),
    ids: z.array(z.string()),
    all: z.boolean(),
    how: z.enum(['resend', 'drop', 'fetch_again', 'ask_again']),
  }),
  z.object({ kind: z.literal('cancel'), ids: z.array(z.string()), all: z.boolean() }),
  z.object({ kind: z.literal('edit_texts'), edits: TextEdits }),
  z.object({ kind: z.literal('confirm'), batchId: z.string() }),
  z.object({ kind: z.literal('remove_folder'), id: z.string() }),
  /** Its pictures stay as they are. */
  z.object({ kind: z.literal('add_folder'), folder: Folder.omit({ id: true, addedAtMs: true }) }),
  z.object({ kind: z.literal('update_folder'), id: z.string(), changes: FolderChanges }),
  z.object({ kind: z.literal('change_settings'), changes: SettingsChange }),
  z.object({ kind: z.literal('mark_favourites'), service: z.string(), chargers: z.array(z.number().int()) }),
  z.object({ kind: z.literal('stop_waiting') }),
  z.object({ kind: z.literal('pause') }),
  z.object({ kind: z.literal('resume') }),
  /** A key was set or deleted in the keychain. */
  z.object({ kind: z.literal('keys') }),
])
export type PendingCommand = z.infer<typeof PendingCommand>

export function postCommand(db: Db, command: PendingCommand, nowMs: number): void {
  prepared(db, 'INSERT INTO commands (at_ms, doc) VALUES (?, ?)').run(nowMs, JSON.stringify(command))
}

/** Takes all waiting commands out, or none when the disk does not let it; ones that do not parse are dropped into quarantine. */
export function takeCommands(db: Db, nowMs: number): PendingCommand[] {
  const rows = prepared<[], { id: number; doc: string }>(db, 'SELECT id, doc FROM commands ORDER BY id').all()
  if (rows.length === 0) return []
  return transact(db, () => {
    const commands: PendingCommand[] = []
    for (const row of rows) {
      prepared(db, 'DELETE FROM commands WHERE id = ?').run(row.id)
      const parsed = PendingCommand.safeParse(safeJson(row.doc))
      if (parsed.success) commands.push(parsed.data)
      else
        prepared(
          db,
          `INSERT INTO quarantine (at_ms, source, key, why, doc) VALUES (?, 'commands', ?, 'does not parse', ?)`,
        ).run(nowMs, String(row.id), row.doc)
    }
    return commands
  })
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
