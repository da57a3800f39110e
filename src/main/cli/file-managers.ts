import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import type { ManagerState } from '../../shared/runtime/ports.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { fileManagers } from '../file-managers/file-managers.ts'
import { findProgram, placesOnPath } from '../files/find-program.ts'
import type { Cli, CliCommand } from './command.ts'
import { columns } from './figures.ts'

interface Flags {
  json?: boolean
  program?: string
}

/** Hangar in the menus of Nautilus, Nemo, Caja, Dolphin, Thunar, Finder and Explorer. */
export function addFileManagersCommand(program: CliCommand, cli: Cli): void {
  const managers = program
    .command('file-managers')
    .summary('Hangar in the menus of file managers')
    .description(
      'Puts Hangar into the menu that a right click opens in a file manager, and takes it out. What is selected there comes into the window of the desktop app as one preview with its price. Only files that are as Hangar wrote them are replaced or removed.',
    )
    .addHelpText(
      'after',
      `
Where it is found: Nautilus, Nemo and Caja "Scripts", Thunar "Send To", Dolphin "Actions", Finder "Quick Actions",
Explorer "Send to".`,
    )
  const add = (
    name: 'install' | 'remove' | 'status',
    description: string,
    act: (flags: Flags) => Promise<ManagerState[]>,
  ) => {
    const command = managers.command(name).description(description).option('--json', 'one JSON object per line')
    if (name !== 'remove') command.option('--program <file>', 'the desktop app, if it is not where its packages put it')
    command.plainAction(async (flags: Flags) => {
      const states = await act(flags)
      show(cli, states)
      const isKept = name !== 'status' && states.some(({ entry }) => entry === 'another')
      return isKept ? ExitCode.someNotDone : ExitCode.ok
    })
  }
  const person = { platform: process.platform, home: homedir(), env: cli.env }
  const entries = async (flags: Flags) => fileManagers(person, [await desktopProgram(cli, flags)])
  add('install', 'Writes an entry for each file manager that is there.', async (flags) =>
    (await entries(flags)).install(),
  )
  add('remove', 'Removes all entries that are as Hangar wrote them.', () =>
    fileManagers(person, [process.execPath]).remove(),
  )
  add('status', 'Lists the file managers that are there, and which of them have an entry.', async (flags) =>
    (await entries(flags)).list(),
  )
}

async function desktopProgram({ env, cwd }: Cli, { program }: Flags): Promise<string> {
  const found = await findProgram(program === undefined ? usualPlaces(env) : [resolve(cwd, program)])
  if (found === null) throw new AppError('not_found', say('cli_no_desktop_program'))
  return found
}

/** Where the packages put it. */
function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === 'darwin')
    return ['/Applications', join(homedir(), 'Applications')].map((folder) =>
      join(folder, 'Hangar.app/Contents/MacOS/Hangar'),
    )
  if (process.platform !== 'win32') return process.platform === 'linux' ? placesOnPath('hangar-desktop', env) : []
  const folders = [env['LOCALAPPDATA'] && join(env['LOCALAPPDATA'], 'Programs'), env['ProgramFiles']]
  return folders.flatMap((folder) => (folder ? [join(folder, 'Hangar', 'Hangar.exe')] : []))
}

const ENTRY_WORDS = {
  absent: 'no entry',
  current: 'has an entry',
  older: 'has an entry of another version or place; "install" renews it',
  another: 'something else has the name of the entry and stays as it is',
}

function show({ terminal }: Cli, managers: readonly ManagerState[]): void {
  for (const { id, isThere, entry } of managers) terminal.json({ event: 'file-manager', id, isThere, entry })
  const rows = managers.map(({ id, isThere, entry }) => [id, isThere ? 'there' : 'not there', ENTRY_WORDS[entry]])
  for (const line of columns(rows)) terminal.out(line)
}
