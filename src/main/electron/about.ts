import process from 'node:process'
import type { App } from 'electron'
import { VERSION } from '../engine/version.ts'
import { externalLinks } from '../page/external-links.ts'
import type { Texts } from '../page/texts.ts'
import { resourcePath } from './resource-path.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the About box says, in this language: Electron's own would name the program and not its version. */
export function setupAbout(app: Pick<App, 'setAboutPanelOptions'>, { text }: Texts): void {
  const { documentation } = externalLinks()
  const { electron, chrome, node } = process.versions
  app.setAboutPanelOptions({
    applicationName: 'Hangar',
    applicationVersion: VERSION,
    version: `Electron ${electron}`,
    copyright: [
      'Copyright © The Hangar authors',
      text('about.licence'),
      '',
      `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
    ].join('\n'),
    iconPath: resourcePath('icons', 'icon.png'),
    ...(documentation === undefined ? {} : { website: documentation }),
  })
}

/**
 * Hangar's licence and those of everything that is bundled, as one file that other programs can open: what a package holds them in
 * is none. Returns its path.
 */
export function licenceFile(folder: string): string {
  const out = join(import.meta.dirname, '..')
  const parts = [resourcePath('..', 'LICENSE'), join(out, 'main/licenses.md'), join(out, 'renderer/licenses.md')]
  const path = join(folder, 'licences.txt')
  writeFileSync(path, parts.map((part) => readFileSync(part, 'utf8')).join('\n\n'))
  return path
}
