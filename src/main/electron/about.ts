import process from 'node:process'
import type { App } from 'electron'
import { VERSION } from '../engine/version.ts'
import { externalLinks } from '../page/external-links.ts'
import type { Texts } from '../page/texts.ts'
import { resourcePath } from './resource-path.ts'

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
