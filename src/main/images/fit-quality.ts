/** What is encoded at lower qualities shows blocks and smears instead of the picture; fewer pixels look better. */
export const MIN_QUALITY = 20
/** How many times a file is encoded at most: once as asked for, and then for each step of the search. */
export const MAX_ENCODINGS = 1 + Math.ceil(Math.log2(101 - MIN_QUALITY))

/** At the highest quality below `below` (on WebP's scale) with at most `maxBytes`, else at the lowest. Null when none is left to try. */
export async function fitQuality<File extends { bytes: Uint8Array }>(
  encodeAt: (quality: number) => Promise<File>,
  below: number,
  maxBytes: number,
): Promise<File | null> {
  let [least, most] = [MIN_QUALITY, below - 1]
  let fitting: File | null = null
  let last: File | null = null
  while (least <= most) {
    const quality = Math.floor((least + most) / 2)
    last = await encodeAt(quality)
    if (last.bytes.byteLength <= maxBytes) {
      fitting = last
      least = quality + 1
    } else most = quality - 1
  }
  return fitting ?? last
}
