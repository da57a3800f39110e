/** The Debian package of the desktop app: Electron and plain Node inside, beside the package of the command line. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../project.mjs'
import { asDebianVersion, changelog, DEB_ARCH, debianPackage, packed } from '../deb/debian-package.mjs'
import { appFiles } from './app-files.mjs'
import { NAME } from './menu-entry.mjs'
import { LANGUAGES, inEachLanguage } from './texts.mjs'

const HOME = `usr/lib/${NAME}`
const DOCUMENTATION = `usr/share/doc/${NAME}`
/** What Electron and the native modules are linked with or load, and what opens links and keeps access control lists. */
export const DEPENDS = [
  'libasound2t64 | libasound2',
  'libatk-bridge2.0-0',
  'libatk1.0-0',
  'libatspi2.0-0',
  'libc6 (>= 2.34)',
  'libcairo2',
  'libcups2',
  'libdbus-1-3',
  'libdrm2',
  'libexpat1',
  'libgbm1',
  'libgcc-s1',
  'libglib2.0-0',
  'libgtk-3-0',
  'libnotify4',
  'libnspr4',
  'libnss3',
  'libpango-1.0-0',
  'libsecret-1-0',
  'libstdc++6 (>= 11)',
  'libudev1',
  'libx11-6',
  'libxcb1',
  'libxcomposite1',
  'libxdamage1',
  'libxext6',
  'libxfixes3',
  'libxkbcommon0',
  'libxrandr2',
]
const RECOMMENDS = ['xdg-utils']

/** The bytes of the package of an unpacked app (`unpack-app.mjs`). `level` is gzip's, for tests. */
export function makeDesktopDeb({ app, system, target, level }) {
  const version = asDebianVersion(app.version)
  const [, english] = inEachLanguage((entry) => entry)[0]
  const inHome = appFiles(app.folder, { withSetuid: true }).map((entry) => ({
    ...entry,
    name: `${HOME}/${entry.name}`,
  }))
  return debianPackage({
    fields: {
      Package: NAME,
      Version: version,
      Architecture: DEB_ARCH[target],
      Depends: DEPENDS.join(', '),
      Recommends: RECOMMENDS.join(', '),
    },
    summary: app.about === null ? 'pictures through an image service, on the desktop' : 'FOR TESTS ALONE',
    description: [...(app.about === null ? [] : [app.about]), english.pictures, english.chargers],
    files: [...inHome, ...system, ...own(version)],
    level,
  })
}

function own(version) {
  return [
    { name: `usr/bin/${NAME}`, bytes: ownFile(NAME), isProgram: true },
    { name: `usr/share/man/man1/${NAME}.1.gz`, bytes: packed(ownFile(`${NAME}.1`)) },
    { name: `usr/share/lintian/overrides/${NAME}`, bytes: ownFile('lintian-overrides') },
    { name: `${DOCUMENTATION}/copyright`, bytes: Buffer.from(copyright()) },
    { name: `${DOCUMENTATION}/changelog.gz`, bytes: changelog(NAME, version) },
    { name: `${DOCUMENTATION}/CHANGELOG.md`, file: path.join(root, 'CHANGELOG.md') },
  ]
}

function copyright() {
  return `Hangar

${readFileSync(path.join(root, 'LICENSE'), 'utf8')}
/${HOME} has Electron, as its project publishes it but for its fuses; its licences and those of Chromium are there in
LICENSE.electron.txt and LICENSES.chromium.html.
/${HOME}/resources/node is Node, as its project publishes it; its licences are in LICENSE.node beside it.
The npm packages in /${HOME}/resources/app.asar.unpacked/node_modules have theirs beside them. Those of the packages that
are bundled are in /${HOME}/resources/app.asar.unpacked/out/main/licenses.md, and in the archive beside that folder.
The languages of its texts: ${LANGUAGES.join(', ')}.
`
}

const ownFile = (name) => readFileSync(path.join(import.meta.dirname, 'files', name))
