import { join, resolve } from 'node:path'

/** Where the tests keep the Windows that `set-up.ts` makes: with the packages, so what `npm ci` removes, it removes too. */
export const MACHINE = resolve(import.meta.dirname, '../../../node_modules/.cache/windows')

/** What Wine's programs are started with, so that all of it stays in `folder` (which `set-up.ts` fills) and nothing is shown. */
export function wineEnvironment(
  folder: string,
): Record<'WINEPREFIX' | 'WINEDEBUG' | 'WINEDLLOVERRIDES' | 'HOME' | 'LC_ALL', string> {
  return {
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    // No .NET, no Internet Explorer, no entries in the menu of this system.
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
    // Otherwise it hides every file whose name is not plain ASCII.
    LC_ALL: 'C.UTF-8',
    HOME: join(folder, 'home'),
  }
}
