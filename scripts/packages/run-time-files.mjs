/** What of the checkout belongs into every package: what `files` in package.json names, as npm reads it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root, run } from '../project.mjs'

/** Resolves to paths with `/`, from the checkout. The built program must be there. */
export async function runTimeFiles() {
  const lines = []
  // npm 10 prints a list of packages, later ones an object by their names.
  const { code } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
    output: (line) => lines.push(line),
  })
  if (code !== 0) throw new Error(`npm could not list the files of the package, see above. It ended with ${code}.`)
  const [{ files }] = Object.values(JSON.parse(lines.join('\n')))
  const { main } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  // npm always adds `main`, which is Electron's shell.
  return files.map((file) => file.path).filter((name) => name !== path.posix.normalize(main))
}
