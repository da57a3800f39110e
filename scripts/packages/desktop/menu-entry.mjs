/** How desktops and software centres find Hangar: its menu entry and its AppStream data. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { MEDIA_TYPES } from '../../../src/shared/jobs/picture-name.ts'
import { root } from '../../project.mjs'
import { inEachLanguage } from './texts.mjs'

/** The name of the program, of its entry and of its icon. */
export const NAME = 'hangar-desktop'
/** As electron-builder.yml has it. */
export const ID = 'org.hangar.desktop'

/** hangar-desktop.desktop. `program` is what its lines begin with. */
export function menuEntry(program = NAME) {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.4',
    'Name=Hangar',
    ...translated('GenericName', ({ generic }) => generic),
    ...translated('Comment', ({ comment }) => comment),
    ...translated('Keywords', ({ keywords }) => `${keywords.split(', ').join(';')};`),
    `Exec=${program} %F`,
    `Icon=${NAME}`,
    'Terminal=false',
    'StartupNotify=true',
    // What X11 calls the window; on Wayland it has the name of this file (`desktopName` in package.json).
    'StartupWMClass=Hangar',
    'X-GNOME-SingleWindow=true',
    'Categories=Graphics;2DGraphics;RasterGraphics;',
    // Not folders: a desktop without a file manager of its own would open them all with it.
    `MimeType=${MEDIA_TYPES.join(';')};`,
    'Actions=jobs;pause;resume;',
    ...action('jobs', ({ jobs }) => jobs, `${program} --show jobs`),
    ...action('pause', (_entry, { pauseSending }) => pauseSending, `${program} --pause`),
    ...action('resume', (_entry, { resumeSending }) => resumeSending, `${program} --resume`),
    '',
  ].join('\n')
}

const action = (id, choose, command) => ['', `[Desktop Action ${id}]`, ...translated('Name', choose), `Exec=${command}`]

function translated(key, choose) {
  return inEachLanguage(choose).map(([language, text]) =>
    language === 'en' ? `${key}=${text}` : `${key}[${language}]=${text}`,
  )
}

/** org.hangar.desktop.metainfo.xml. Its address and releases are there once package.json and CHANGELOG.md name them. */
export function metainfo() {
  const { homepage, bugs, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const urls = Object.entries({ homepage, bugtracker: typeof bugs === 'string' ? bugs : bugs?.url })
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${license}</project_license>
  <name>Hangar</name>
${elements('  ', 'summary', ({ comment }) => comment)}
  <developer_name>The Hangar authors</developer_name>
  <description>
${elements('    ', 'p', ({ pictures }) => pictures)}
${elements('    ', 'p', ({ chargers }) => chargers)}
  </description>
  <launchable type="desktop-id">${NAME}.desktop</launchable>
  <icon type="stock">${NAME}</icon>
  <content_rating type="oars-1.1" />
  <categories>
    <category>Graphics</category>
  </categories>
  <provides>
    <binary>${NAME}</binary>
${MEDIA_TYPES.map((type) => `    <mediatype>${type}</mediatype>`).join('\n')}
  </provides>
${urls
  .filter(([, url]) => url !== undefined)
  .map(([type, url]) => `  <url type="${type}">${escaped(url)}</url>\n`)
  .join('')}${releases()}</component>
`
}

function elements(indent, name, choose) {
  return inEachLanguage(choose)
    .map(([language, text]) => {
      const lang = language === 'en' ? '' : ` xml:lang="${language}"`
      return `${indent}<${name}${lang}>${escaped(text)}</${name}>`
    })
    .join('\n')
}

/** Headings such as `## 0.1.0 (2026-01-31)`. */
function releases() {
  const changes = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const dated = [...changes.matchAll(/^## (\d[\w.-]*) \((\d{4}-\d\d-\d\d)\)$/gm)]
  if (dated.length === 0) return ''
  const lines = dated.map(([, version, date]) => `    <release version="${version}" date="${date}" />\n`)
  return `  <releases>\n${lines.join('')}  </releases>\n`
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
