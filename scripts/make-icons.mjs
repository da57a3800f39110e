/** Draws the PNG icons in `resources/icons` from their SVG. Run it after changing one: `node scripts/make-icons.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { root } from './project.mjs'

const folder = path.join(root, 'resources', 'icons')
const icon = readFileSync(path.join(folder, 'icon.svg'))
const mark = readFileSync(path.join(folder, 'tray.svg'), 'utf8')
/** Light bars and dark bars alike show this blue; macOS recolours the black template itself. */
const blueMark = mark.replaceAll('#000', '#3b8fe0')

const ICONS = [
  { name: 'icon.png', svg: icon, size: 512 },
  { name: 'drag.png', svg: icon, size: 64 },
  { name: 'tray.png', svg: Buffer.from(blueMark), size: 32 },
  { name: 'trayTemplate.png', svg: Buffer.from(mark), size: 16 },
  { name: 'trayTemplate@2x.png', svg: Buffer.from(mark), size: 32 },
]

for (const { name, svg, size } of ICONS) {
  const png = await sharp(svg, { density: 72 * Math.max(1, size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer()
  writeFileSync(path.join(folder, name), png)
}
