/** The desktop app as electron-builder lays it out, unpacked, by electron-builder.yml. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, runNode } from '../../project.mjs'
import { electronDist } from '../electron-dist.mjs'

/** What no release may have in its version, see check-release.mjs. */
export const TEST_MARK = '-test'

/**
 * Resolves to `{ folder, version, about }`: where it is below `out`, its version, and what a package has to say of it besides,
 * which is null but for tests. `testStart` is for those alone: a folder whose `start.mjs` starts the app in a runtime of
 * another version. Such a package is marked as one for tests in all that names its version.
 */
export async function unpackApp({ target, out, testStart = null }) {
  const dist = electronDist({ forTests: testStart !== null })
  const { version: own } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const [version, config] = testStart === null ? [own, 'electron-builder.yml'] : forTests(own, out, testStart)
  const arch = target.split('-')[1]
  const told = [
    `--${arch}`,
    `-c.directories.output=${out}`,
    ...(dist === null ? [] : [`-c.electronDist=${dist.folder}`]),
  ]
  const builder = ['node_modules/electron-builder/cli.js', '--config', config, '--publish', 'never']
  const { code } = await runNode([...builder, '--linux', 'dir', ...told], { output: 'stderr' })
  if (code !== 0) throw new Error('electron-builder could not lay out the app, see above.')
  const about =
    testStart === null
      ? null
      : `FOR TESTS ALONE, with Electron ${dist?.version ?? 'of package.json'}. Do not use or publish it.`
  return { folder: path.join(out, arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`), version, about }
}

function forTests(own, out, testStart) {
  const version = `${own}${TEST_MARK}`
  const config = path.join(out, 'electron-builder-for-tests.json')
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, 'electron-builder.yml'),
      files: [{ from: path.resolve(testStart), to: 'test-start' }],
      extraMetadata: { version, main: 'test-start/start.mjs' },
    }),
  )
  return [version, config]
}
