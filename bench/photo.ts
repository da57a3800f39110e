import sharp from 'sharp'

/** A JPEG like a photo: soft gradients with grain, so that neither encoder nor decoder gets it for free. */
export async function photo(seed: number): Promise<Buffer> {
  const [width, height] = [2400, 1600]
  const pixels = Buffer.alloc(width * height * 3)
  let state = seed * 7919
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      const grain = (state >>> 27) - 16
      const shade = 128 + 90 * Math.sin((x + seed * 300) / 190) * Math.cos(y / 230)
      pixels[at++] = shade + grain
      pixels[at++] = 0.8 * shade + 20 + grain
      pixels[at++] = 240 - 0.7 * shade + grain
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}
