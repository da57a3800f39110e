import { z } from 'zod'
import { languageCodeOf } from '../text/language-code.ts'

/** A language the image service can write in (image service document, "Language"). */
export const Language = z.object({
  code: z.string().min(1).max(20),
  name: z.string().max(200),
  nativeName: z.string().max(200),
})
export type Language = z.infer<typeof Language>

/** As `languageCodeOf` returns it. */
export const AnyLanguageCode = z.string().refine((code) => languageCodeOf(code) === code, 'not the code of a language')

/** ISO 639-1, lower case. Whether the service knows the language is checked against `GET /languages`. */
export const LanguageCode = z.string().regex(/^[a-z]{2}$/, 'a language is a two-letter ISO 639-1 code such as "en"')
