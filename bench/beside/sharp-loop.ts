/** What a careful developer writes with sharp: upright, with all metadata, two at a time. Arguments: from, to, format, quality. */
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import process from 'node:process'
import sharp from 'sharp'

const [from = '', to = '', format = 'webp', quality = '80'] = process.argv.slice(2)
sharp.cache(false)
sharp.concurrency(1)
const names = await readdir(from)
async function work(): Promise<void> {
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const image = sharp(join(from, name), { animated: true, autoOrient: true }).keepMetadata()
    const options = { quality: Number(quality) }
    const encoded = format === 'webp' ? image.webp(options) : image.avif(options)
    await encoded.toFile(join(to, `${parse(name).name}.${format}`)).catch(console.error)
  }
}
await Promise.all([work(), work()])
