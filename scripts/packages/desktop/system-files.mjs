/** What a Linux desktop looks for outside the app's own folder: menu entry, AppStream data and icons, below `usr/share`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { root } from '../../project.mjs'
import { ID, menuEntry, metainfo, NAME } from './menu-entry.mjs'

const ICON = path.join(root, 'resources/icons/icon.svg')
const SIZES = [16, 32, 48, 64, 128, 256]

/** Resolves to entries (`archive.mjs`). */
export async function systemFiles() {
  const icons = await Promise.all(
    SIZES.map(async (size) => ({ name: iconName(`${size}x${size}`, 'png'), bytes: await drawn(size) })),
  )
  return [
    { name: `usr/share/applications/${NAME}.desktop`, bytes: Buffer.from(menuEntry()) },
    { name: `usr/share/metainfo/${ID}.metainfo.xml`, bytes: Buffer.from(metainfo()) },
    { name: iconName('scalable', 'svg'), file: ICON },
    { name: iconName('512x512', 'png'), file: path.join(root, 'resources/icons/icon.png') },
    ...icons,
  ]
}

const iconName = (folder, ending) => `usr/share/icons/hicolor/${folder}/apps/${NAME}.${ending}`

function drawn(size) {
  return sharp(readFileSync(ICON), { density: 72 * Math.max(1, size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9 })
    .toBuffer()
}
