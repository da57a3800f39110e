/** What anyone would write: each JPEG of a folder is decoded once to see whether it is whole, and becomes WebP. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import sharp from 'sharp'

const [from = '', to = '', atATime = '2'] = process.argv.slice(2)
sharp.cache(false)
sharp.concurrency(2)
const names = await readdir(from)
async function work(): Promise<void> {
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const bytes = await readFile(join(from, name))
    const { width, height } = await sharp(bytes).metadata()
    const whole = { left: 0, top: 0, width, height }
    await sharp(bytes, { failOn: 'warning', sequentialRead: true }).extract(whole).resize(16, 16).raw().toBuffer()
    const image = sharp(bytes, { autoOrient: true, sequentialRead: true }).keepMetadata()
    await writeFile(join(to, `${name}.webp`), await image.webp({ quality: 80 }).toBuffer())
  }
}
await Promise.all(Array.from({ length: Number(atATime) }, work))
