/**
 * `npm run dist:desktop -- --deb --tar --appimage [--target linux-x64|linux-arm64] [--out FOLDER]`: packages of the desktop app
 * for Linux in dist/, without a download where ELECTRON_DIST names the unpacked archive of Electron. Tests give
 * `--test-start FOLDER` (see packages/desktop/unpack-app.mjs) and `--level`, that of gzip.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { tarGz } from './packages/archive.mjs'
import { asDebianVersion, DEB_ARCH } from './packages/deb/debian-package.mjs'
import { appFiles } from './packages/desktop/app-files.mjs'
import { hasAppImageTool, makeAppImage } from './packages/desktop/make-appimage.mjs'
import { makeDesktopDeb } from './packages/desktop/make-desktop-deb.mjs'
import { NAME } from './packages/desktop/menu-entry.mjs'
import { systemFiles } from './packages/desktop/system-files.mjs'
import { unpackApp } from './packages/desktop/unpack-app.mjs'
import { ownTarget } from './packages/targets.mjs'
import { sayPackage, writePackage } from './packages/write-package.mjs'
import { root, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

const LIMITS = { packedMb: 200, besideNodeMb: 320 }

await afterSetUp({ built: true }, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      deb: { type: 'boolean' },
      tar: { type: 'boolean' },
      appimage: { type: 'boolean' },
      target: { type: 'string' },
      out: { type: 'string' },
      level: { type: 'string' },
      'test-start': { type: 'string' },
    },
  })
  const target = values.target ?? ownTarget(process)
  if (target === null || !Object.hasOwn(DEB_ARCH, target)) {
    say(`There is no such package for "${target}". There is: ${Object.keys(DEB_ARCH).join(', ')}.`)
    return 2
  }
  if (!values.deb && !values.tar && !values.appimage) {
    say('Which package? One or more of --deb, --tar and --appimage. For macOS and Windows there is npm run dist.')
    return 2
  }
  if (values.appimage && !(await hasAppImageTool())) return 1
  const folder = path.resolve(values.out ?? path.join(root, 'dist'))
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(path.join(folder, 'unpacked-'))
  try {
    const app = await unpackApp({ target, out: work, testStart: values['test-start'] })
    await write({
      app,
      target,
      folder,
      wanted: values,
      level: values.level === undefined ? undefined : Number(values.level),
    })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return 0
})

async function write({ app, target, folder, wanted, level }) {
  const [entries, system] = [appFiles(app.folder), await systemFiles()]
  const name = `${NAME}-${app.version}-${target}`
  if (wanted.deb) {
    const bytes = makeDesktopDeb({ app, system, target, level })
    const file = `${NAME}_${asDebianVersion(app.version)}_${DEB_ARCH[target]}.deb`
    writePackage({ folder, name: file, bytes, entries, limits: LIMITS })
  }
  if (wanted.tar) {
    const own = { name: 'LICENSE', file: path.join(root, 'LICENSE') }
    const bytes = tarGz(
      [...entries, own].map((entry) => ({ ...entry, name: `${name}/${entry.name}` })),
      level,
    )
    writePackage({ folder, name: `${name}.tar.gz`, bytes, entries, limits: LIMITS })
  }
  if (wanted.appimage) {
    const file = path.join(folder, `${name}.AppImage`)
    await makeAppImage({ app, system, target, file })
    sayPackage({ name: path.basename(file), bytes: readFileSync(file), entries })
  }
}
