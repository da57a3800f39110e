import type { Cli } from './cli-context.ts'
import type { ConfigChanges, ValueChange } from './config-changes.ts'
import type { CommonFlags } from './options.ts'
import { withEngine } from './with-engine.ts'

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
