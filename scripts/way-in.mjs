/** How a window is given its sign-in link without the link being among its arguments, which other users can read. */
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A page in the data folder that only its owner can read, and that sends the browser on to `url`. `address` is what the
 * browser is given; `remove` takes the page away, and may be called more than once.
 */
export function writeWayIn(url, dataDir) {
  const file = path.join(dataDir, 'open-hangar.html')
  const remove = () => rmSync(file, { force: true })
  remove()
  const script = `location.replace(${JSON.stringify(url).replaceAll('<', '\\u003c')})`
  const page = `<!doctype html><meta charset="utf-8"><title>Hangar</title><script>${script}</script>\n`
  writeFileSync(file, page, { flag: 'wx', mode: 0o600 })
  return { address: pathToFileURL(file).href, remove }
}
