/** `npm run bench [NAME…]`: runs bench/NAME/main.ts one after another, so that they do not disturb each other's figures. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { root, runNode, say } from './project.mjs'
import { afterSetUp } from './set-up.mjs'

await afterSetUp({ built: true }, async (args) => {
  const present = readdirSync(path.join(root, 'bench')).filter((name) => existsSync(mainOf(name)))
  const unknown = args.filter((name) => !present.includes(name))
  if (unknown.length > 0) {
    say(`No such benchmark: ${unknown.join(', ')}. There are: ${present.join(', ')}.`)
    return 2
  }
  let failed = 0
  for (const name of args.length > 0 ? args : present) {
    say(`bench/${name}`)
    const { code } = await runNode([mainOf(name)])
    if (code !== 0) failed += 1
  }
  return failed === 0 ? 0 : 1
})

function mainOf(name) {
  return path.join(root, 'bench', name, 'main.ts')
}
