import { z } from 'zod'

/** A language the image service can write in (image service document, "Language"). */
export const Language = z.object({
  code: z.string().min(1).max(20),
  name: z.string().max(200),
  nativeName: z.string().max(200),
})
export type Language = z.infer<typeof Language>
