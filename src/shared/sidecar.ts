import { z } from 'zod'
import { Translation } from './job.ts'
import { ConvertFormat, Operation, OutputType } from './recipe.ts'

export const SIDECAR_VERSION = 1
export const SIDECAR_SUFFIX = '.alt.json'
/** A sidecar larger than this is not read: it is untrusted input. */
export const MAX_SIDECAR_BYTES = 1_048_576

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** What a person changed: texts, each in place of the one in its language; `decorative` null leaves that mark as it is. */
export interface SidecarEdit {
  texts: readonly SidecarText[]
  decorative: boolean | null
}

/** One text per language; `edited`: a person changed the alt text, and reprocessing keeps it. */
export const SidecarText = Translation.extend({ edited: z.boolean().optional() })
export type SidecarText = z.infer<typeof SidecarText>

/**
 * `photo.jpg.alt.json`: what was made from `photo.jpg`, readable by people, static site generators and other computers
 * that see the same folder. Untrusted when read: names are plain base names and hashes are compared with the files.
 * Unknown extra members are kept on rewrite.
 */
export const Sidecar = z.looseObject({
  hangar: z.literal(SIDECAR_VERSION),
  source: z.object({ name: z.string().min(1).max(1000), sha256, sizeBytes: z.number().int().positive() }),
  service: z.object({
    id: z.string().max(300),
    jobId: z.string().max(200).nullable(),
    imageId: z.string().max(200).nullable(),
  }),
  recipe: z.object({
    operation: Operation,
    /** What was really sent; null when nothing was. */
    sent: Operation.nullable(),
    languages: z.array(z.string().max(20)).max(100),
    format: ConvertFormat,
    naming: z.enum(['original', 'seo']),
  }),
  translations: z.array(SidecarText),
  /** A person said that the picture is only decoration: a page gives it an empty `alt`. Earlier versions keep it unread. */
  decorative: z.boolean().optional(),
  outputs: z.array(
    z.object({
      role: z.enum(['optimized', 'converted']),
      /** Relative to the sidecar's folder: a base name, no separators. */
      name: z
        .string()
        .min(1)
        .max(1000)
        .refine((name) => !/[/\\\0]/.test(name) && name !== '.' && name !== '..', 'a plain file name'),
      sha256,
      sizeBytes: z.number().int().nonnegative(),
      type: OutputType,
    }),
  ),
  /** Codes of what is worth knowing, e.g. `saved_too_little`. */
  notes: z.array(z.string().max(500)).max(50),
  /** ISO 8601. */
  madeAt: z.string().max(40),
})
export type Sidecar = z.infer<typeof Sidecar>
