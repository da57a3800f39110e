import type { ImageType } from '../recipes/recipe.ts'

/** The ends of names, in lower case. A name only suggests a picture: its content decides. */
export const PICTURE_SUFFIXES: Readonly<Record<ImageType, readonly [string, ...string[]]>> = {
  jpeg: ['jpg', 'jpeg', 'jpe', 'jif', 'jfif', 'jfi'],
  png: ['png', 'apng'],
  gif: ['gif'],
  webp: ['webp'],
  tiff: ['tif', 'tiff'],
  avif: ['avif'],
  heic: ['heic', 'heif', 'hif'],
}

/** What systems and browsers call the types that Hangar takes. */
export const MEDIA_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/tiff',
  'image/avif',
  'image/heic',
  'image/heif',
]

const PICTURE_NAME = new RegExp(`\\.(?:${Object.values(PICTURE_SUFFIXES).flat().join('|')})$`, 'i')

/** The end of a picture's name, with its dot and as written; null for a name that suggests no picture. */
export function pictureSuffix(name: string): string | null {
  return PICTURE_NAME.exec(name)?.[0] ?? null
}

/** The type that the end of a name suggests; null for a name that suggests no picture, or is only an end. */
export function suggestedType(name: string): ImageType | null {
  const end = pictureSuffix(name)
  if (end === null || end === name) return null
  const suffix = end.slice(1).toLowerCase()
  const types = Object.keys(PICTURE_SUFFIXES) as ImageType[]
  return types.find((type) => PICTURE_SUFFIXES[type].includes(suffix)) ?? null
}
