import type { PracticeTranslation } from './job-view.ts'
import { LANGUAGE_TEXTS } from './language-texts.ts'
import type { PictureTraits } from './picture-traits.ts'
import { slug } from './slug.ts'

/** Parts of file names that come from cameras and phones, or say nothing about the picture. */
const NOISE =
  /^(img|image|dsc|dscn|dscf|pxl|mvimg|vid|pict|photo|screenshot|scan|copy|final|edited|hdr|\d+|[0-9a-f]{8,})$/i

/** The words of a file name that a person may have chosen: without extension, numbers and camera marks. */
export function fileNameWords(filename: string): string[] {
  const base = filename.replace(/\.[^.]*$/, '')
  return base
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap((word) => word.split(/(?<=\p{Ll})(?=\p{Lu})/u))
    .filter((word) => word !== '' && !NOISE.test(word))
    .slice(0, 8)
}

/**
 * SEO file name and alt text in one language, from the file name, the size, the shape and the main colours, and marked
 * as practice text. The code is one of `LANGUAGE_TEXTS`.
 */
export function describePicture(filename: string, traits: PictureTraits, code: string): PracticeTranslation {
  const text = LANGUAGE_TEXTS.get(code)
  if (!text) throw new Error(`no texts for language ${code}`)
  const words = fileNameWords(filename)
  const colours = traits.colours.map((colour) => text.colours[colour])
  const sentence = text.sentence(
    words.length > 0 ? words.join(' ') : null,
    text.shapes[traits.shape],
    `${traits.width} × ${traits.height}`,
    colours.join(text.and),
  )
  return {
    language_code: code,
    seo_filename: slug([...(words.length > 0 ? words : [text.picture]), ...colours, text.practice], code),
    seo_alt_text: `${sentence} (${text.practiceNote})`,
  }
}
