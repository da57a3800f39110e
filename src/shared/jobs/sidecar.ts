import { z } from 'zod'
import { Translation } from './job.ts'
import { MAX_TEMPLATE_FOLDERS } from '../recipes/name-template.ts'
import { ConvertFormat, ENCODING, Operation, OutputType, type Encoding } from '../recipes/recipe.ts'

export const SIDECAR_VERSION = 1
export const SIDECAR_SUFFIX = '.alt.json'
/** A sidecar larger than this is not read: it is untrusted input. */
export const MAX_SIDECAR_BYTES = 1_048_576
export const MAX_NOTE_CHARS = 500

/** How far below its sidecar a result can be: as many folders as a template can make. */
export function isListedName(name: string): boolean {
  const parts = name.split('/')
  return (
    parts.length <= MAX_TEMPLATE_FOLDERS + 1 &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))
  )
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * A change of a sidecar: texts, or only a part of them (`only`); languages whose text goes (`removed`); `decorative`, null to leave the mark;
 * listed outputs whose bytes changed, with `beside` as long as the name may stand for either; and one that has another name, with `keeps` as
 * long as it may still have the earlier one.
 */
export interface SidecarEdit {
  texts: readonly (SidecarText & { only?: 'altText' | 'seoFilename' })[]
  removed?: readonly string[]
  decorative: boolean | null
  rewritten?: { name: string; sha256: string; sizeBytes: number; beside: boolean }
  renamed?: { from: string; to: string; sha256: string; keeps: boolean }
}

/** `edited`: the alt text was changed, by a person or with `byRule` by word rules; `nameEdited`: by a person. Reprocessing keeps both. */
export const SidecarText = Translation.extend({
  edited: z.boolean().optional(),
  byRule: z.boolean().optional(),
  nameEdited: z.boolean().optional(),
})
export type SidecarText = z.infer<typeof SidecarText>

const option = z.union([z.number(), z.string(), z.boolean()]).optional()
/** How files were encoded on this computer; absent where that was off. */
const encoding = Object.fromEntries(ENCODING.map((name) => [name, option])) as Record<keyof Encoding, typeof option>

/** The parts of a recipe that decide what a file looks like and are not sent. Unknown values are kept. */
export const OutputShape = z.looseObject({
  metadata: z.string().max(40),
  ...encoding,
  /** The alt texts are embedded. */
  texts: z.boolean().optional(),
  /** Of a variant: the width it was made for. Absent for a converted file of full width. */
  width: z.number().int().positive().optional(),
})
export type OutputShape = z.infer<typeof OutputShape>

/** What a person said about earlier content of the same name. It counts again when that content is back. */
export const EarlierWords = z.looseObject({
  sha256,
  /** Only texts that a person edited. */
  translations: z.array(SidecarText),
  decorative: z.boolean().optional(),
})
export type EarlierWords = z.infer<typeof EarlierWords>

/**
 * `photo.jpg.alt.json`: what was made from `photo.jpg`, for people, static site generators and other computers. It belongs to the content
 * with the hash in `source`. Untrusted when read: names lead nowhere but down and hashes are compared with the files. Unknown extra members
 * are kept on rewrite, with that content.
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
    /** The operation that was really sent; null when nothing was. */
    sent: Operation.nullable(),
    languages: z.array(z.string().max(20)).max(100),
    format: ConvertFormat,
    naming: z.string().max(1000),
    ...encoding,
    widths: z.array(z.number().int().positive()).max(100).optional(),
    metadata: z.string().max(40),
    minSavingPercent: z.number(),
  }),
  translations: z.array(SidecarText),
  /** A person marked the picture as decoration: a page gives it an empty `alt`. */
  decorative: z.boolean().optional(),
  earlier: z.array(EarlierWords).optional(),
  outputs: z.array(
    z.looseObject({
      /** The content it was made from, if it is an earlier one of the same name. */
      of: sha256.optional(),
      /** A variant is `converted` with its width. */
      role: z.enum(['optimized', 'converted']),
      /** Relative to the sidecar's folder: a base name, or one in folders below it, with `/` between them. */
      name: z.string().min(1).max(5000).refine(isListedName, 'a plain file name, or one in folders below'),
      sha256,
      sizeBytes: z.number().int().nonnegative(),
      type: OutputType,
      /** In pixels, for files encoded on this computer. */
      width: z.number().int().positive().optional().catch(undefined),
      height: z.number().int().positive().optional().catch(undefined),
      /** The settings that shaped this file; undefined where it says nothing that makes sense. */
      made: OutputShape.optional().catch(undefined),
    }),
  ),
  /** Codes of notes, e.g. `saved_too_little`. */
  notes: z.array(z.string().max(MAX_NOTE_CHARS)).max(50),
  /** ISO 8601. */
  madeAt: z.string().max(40),
})
export type Sidecar = z.infer<typeof Sidecar>

/** The texts of a sidecar about this content: its own, or those that a person wrote before other content had the name. */
export function wordsAbout({ source, translations, earlier = [] }: Sidecar, sha256: string): readonly SidecarText[] {
  return source.sha256 === sha256
    ? translations
    : (earlier.find((entry) => entry.sha256 === sha256)?.translations ?? [])
}
