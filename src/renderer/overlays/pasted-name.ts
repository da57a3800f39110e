/** How browsers call a picture of the clipboard that is no file, by its type. */
const BITMAPS: Readonly<Record<string, { name: string; suffix: string }>> = {
  'image/png': { name: 'image.png', suffix: '.png' },
  'image/jpeg': { name: 'image.jpeg', suffix: '.jpg' },
  'image/webp': { name: 'image.webp', suffix: '.webp' },
  'image/gif': { name: 'image.gif', suffix: '.gif' },
}
/** A copied file is older, but for one that was saved just now under that very name. */
const FRESH_MS = 5000

/**
 * The name for a pasted picture that is no file, such as "Pasted 2026-11-26 at 14.03.12.png"; null for a copied file. `words` puts a
 * date and a time, which no system has a quarrel with, into the person's language.
 */
export function pastedName(
  { name, type, lastModified }: Pick<File, 'name' | 'type' | 'lastModified'>,
  now: Date,
  words: (date: string, time: string) => string,
): string | null {
  const bitmap = BITMAPS[type]
  if (bitmap === undefined || name !== bitmap.name || Math.abs(now.getTime() - lastModified) > FRESH_MS) return null
  const two = (figure: number) => String(figure).padStart(2, '0')
  const date = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')
  return `${words(date, time)}${bitmap.suffix}`
}
