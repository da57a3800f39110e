/** A Debian package of what `collect` found: with Node inside, since Debian 12 has an older one, and without Electron. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root, runNode } from '../../project.mjs'
import { asDebianVersion, changelog, DEB_ARCH, debianPackage, packed } from './debian-package.mjs'
import { manPage } from './man-page.mjs'

const SUMMARY = 'compress, convert and describe pictures through an image service'
const DEPENDS = [
  'adduser',
  // What the prebuilt binaries ask for (`objdump -T`).
  'libc6 (>= 2.34)',
  'libgcc-s1',
  'libstdc++6 (>= 11)',
]
const RECOMMENDS = ['libsecret-1-0', 'xdg-utils']
const UNIT = 'docs/systemd/hangar-watch@.service'
const FROM_CHECKOUT = '/opt/hangar/node_modules/.bin/node /opt/hangar/out/main/cli.js'

/** Resolves to the commands as data and what makes shells complete them: `{ tree, completions }`. A Node that reads TypeScript tells them. */
export async function describeCommands() {
  const lines = []
  const { code } = await runNode([path.join(import.meta.dirname, 'describe-commands.mjs')], {
    output: (line) => lines.push(line),
  })
  if (code !== 0) throw new Error('The commands could not be read, see above.')
  return JSON.parse(lines.join('\n'))
}

/** The bytes of the package. `level` is gzip's, for tests. */
export function makeDeb({ collected, commands, version, target, level }) {
  const debVersion = asDebianVersion(version)
  return debianPackage({
    fields: {
      Package: 'hangar',
      Version: debVersion,
      Architecture: DEB_ARCH[target],
      Depends: DEPENDS.join(', '),
      Recommends: RECOMMENDS.join(', '),
    },
    summary: SUMMARY,
    description: [commands.tree.description],
    files: [...placed(collected), ...own(commands, version, debVersion)],
    conffiles: ['/etc/hangar/hangar.env'],
    scripts: ['postinst', 'prerm', 'postrm'].map((name) => ({ name, bytes: ownFile(name), isProgram: true })),
    level,
  })
}

/** Where Debian has what the portable package has beside each other. */
function placed(collected) {
  return collected.flatMap((entry) => {
    const place = placeOf(entry.name)
    return place === null ? [] : [{ ...entry, name: place }]
  })
}

function placeOf(name) {
  if (name === `app/${UNIT}` || name === 'app/LICENSE' || name === 'LICENSE') return null
  const document = /^app\/(docs\/.*|[A-Z]+\.md)$/.exec(name)
  return document === null ? `usr/lib/hangar/${name}` : `usr/share/doc/hangar/${document[1]}`
}

function copyright() {
  return `Hangar

${readFileSync(path.join(root, 'LICENSE'), 'utf8')}
/usr/lib/hangar/node is Node, as its project publishes it; its licences are in /usr/lib/hangar/LICENSE.node.
The npm packages in /usr/lib/hangar/app/node_modules have theirs beside them. Those of the packages that are bundled are in
/usr/lib/hangar/app/out/main/licenses.md and /usr/lib/hangar/app/out/renderer/licenses.md.
`
}

function own({ tree, completions }, version, debVersion) {
  const documentation = 'usr/share/doc/hangar'
  return [
    { name: 'usr/bin/hangar', bytes: ownFile('hangar'), isProgram: true },
    { name: 'usr/lib/hangar/open-hangar', bytes: ownFile('open-hangar'), isProgram: true },
    { name: 'usr/share/applications/hangar.desktop', bytes: ownFile('hangar.desktop') },
    { name: 'usr/share/icons/hicolor/scalable/apps/hangar.svg', file: path.join(root, 'resources/icons/icon.svg') },
    { name: 'usr/share/icons/hicolor/512x512/apps/hangar.png', file: path.join(root, 'resources/icons/icon.png') },
    { name: 'lib/systemd/system/hangar-watch@.service', bytes: unit() },
    { name: 'etc/hangar/hangar.env', bytes: ownFile('hangar.env') },
    { name: 'usr/share/lintian/overrides/hangar', bytes: ownFile('lintian-overrides') },
    { name: 'usr/share/man/man1/hangar.1.gz', bytes: packed(manPage(tree, version)) },
    { name: `${documentation}/copyright`, bytes: Buffer.from(copyright()) },
    { name: `${documentation}/changelog.gz`, bytes: changelog('hangar', debVersion) },
    { name: 'usr/share/bash-completion/completions/hangar', bytes: Buffer.from(completions.bash) },
    { name: 'usr/share/zsh/vendor-completions/_hangar', bytes: Buffer.from(completions.zsh) },
    { name: 'usr/share/fish/vendor_completions.d/hangar.fish', bytes: Buffer.from(completions.fish) },
  ]
}

/** That of a checkout, by the paths of the package. */
function unit() {
  const text = readFileSync(path.join(root, UNIT), 'utf8')
  const adapted = text
    .replace(FROM_CHECKOUT, '/usr/bin/hangar')
    .replaceAll('/opt/hangar/docs/', '/usr/share/doc/hangar/docs/')
    .replace(/^# docs\//m, '# /usr/share/doc/hangar/docs/')
  if (!adapted.includes('ExecStart=/usr/bin/hangar watch') || adapted.includes('/opt/'))
    throw new Error(`${UNIT} names the checkout in a way that is not known here.`)
  return Buffer.from(adapted)
}

const ownFile = (name) => readFileSync(path.join(import.meta.dirname, 'files', name))
