import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { tryRestore } from '../engine/engine-files.ts'
import { isPlainName } from '../files/folder-handle.ts'
import { MAX_RECORD_BYTES, ORIGINALS_FOLDER } from '../files/kept-originals.ts'
import { readSmallFile } from '../files/regular-file.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { pathText } from './figures.ts'

export function addRestoreCommand(program: CliCommand, cli: Cli): void {
  program
    .command('restore')
    .summary('bring back originals that --output replace replaced')
    .description(
      'Brings back the originals under the paths from the backups that --output replace made. A file that was changed since is left alone unless --force is given.',
    )
    .argument('<path...>', 'files, or folders with everything below them')
    .option('--force', 'also where the file was changed since; it becomes the backup, and --force again swaps the two')
    .action(async (paths: string[], flags: { force?: boolean }) => {
      const unread: UnreadRecord[] = []
      const files = await Promise.all(paths.map((path) => findOriginals(resolve(cli.cwd, path), unread)))
      const once = new Map(files.flat().map((file) => [file.path, file]))
      let restored = 0
      for (const { path, rootDir } of once.values()) {
        const { restored: isRestored, problem, why: sentence } = await tryRestore(path, rootDir, flags.force ?? false)
        restored += Number(isRestored)
        const force = problem === 'changed_since' ? ' Restore with --force to keep both.' : ''
        const why = sentence === null ? null : `${englishText(sentence)}${force}`
        cli.terminal.json({ event: 'restore', path, restored: isRestored, why, sentence })
        const head = `${isRestored ? 'restored' : 'left alone'}  ${pathText(path, cli.cwd)}`
        cli.terminal.out(why === null ? head : `${head}  ${why}`)
      }
      cli.terminal.out(`${countText(restored, 'original')} restored.`)
      for (const { path, why } of unread) cli.terminal.err(`not read  ${pathText(path, cli.cwd)}  ${why}`)
      return restored === once.size && unread.length === 0 ? ExitCode.ok : ExitCode.someNotDone
    })
}

/** A record that cannot be read. */
interface UnreadRecord {
  path: string
  why: string
}

const Named = z.object({ name: z.string().min(1) })

/**
 * The file itself, or every file below a folder whose original is kept, with the folder that must contain it. Restoring validates the
 * records.
 */
async function findOriginals(path: string, unread: UnreadRecord[]): Promise<{ path: string; rootDir: string }[]> {
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory() !== true) return [{ path, rootDir: dirname(path) }]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const found = new Set<string>()
  for (const entry of entries) {
    const folder = entry.parentPath
    if (!entry.isFile() || basename(folder) !== ORIGINALS_FOLDER || !entry.name.endsWith('.json')) continue
    const record = join(folder, entry.name)
    try {
      const name = await nameIn(record)
      if (name !== null && isPlainName(name)) found.add(join(folder, '..', name))
    } catch (error) {
      unread.push({ path: record, why: String(error) })
    }
  }
  return [...found].sort().map((original) => ({ path: original, rootDir: path }))
}

/** Null for what is no record. Throws if it cannot be read: its original would be passed over in silence. */
async function nameIn(recordPath: string): Promise<string | null> {
  const bytes = await readSmallFile(recordPath, MAX_RECORD_BYTES)
  try {
    return bytes === null ? null : Named.parse(JSON.parse(bytes.toString('utf8'))).name
  } catch {
    return null
  }
}
