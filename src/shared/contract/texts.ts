import { z } from 'zod'
import { Changed, ids, type Calls } from './call.ts'
import type { PlaceForms, Side } from './places.ts'
import { MAX_ALT_TEXT_CHARS, MAX_EDITS, MAX_IMPORT_CHARS, MAX_NAME_CHARS } from '../recipes/limits.ts'
import { WordRules } from '../recipes/word-rules.ts'
import { JobState, Note, Reason } from '../sentences/reasons.ts'
import { SentenceShape } from '../sentences/sentence-shape.ts'

/** The current alt text: the service's, or a person's in its place. */
export const TextView = z.object({
  languageCode: z.string(),
  /** The suggested file name: the service's, or a person's in its place. */
  seoFilename: z.string(),
  /** The service's own name where a person changed it, empty where it gave none; else null. */
  originalName: z.string().nullable(),
  altText: z.string(),
  /** The service's own text where a person or a word rule changed it, empty where it gave none; else null. */
  original: z.string().nullable(),
  /** Word rules of the recipe changed it, and no person. */
  byRule: z.literal(true).optional(),
})
export type TextView = z.infer<typeof TextView>

/** What a person wrote in a language about another picture that had this name; it is only offered. */
export const EarlierText = z.object({ languageCode: z.string(), altText: z.string() })
export type EarlierText = z.infer<typeof EarlierText>

/**
 * A result whose embedded texts were not updated. `changed`: another program changed or deleted it; `unparsable`: the texts do not fit, or
 * its metadata cannot be read. `away` and `failed` are retried.
 */
export const LeftFile = z.object({ name: z.string(), why: z.enum(['changed', 'unparsable', 'away', 'failed']) })
export type LeftFile = z.infer<typeof LeftFile>

export const HistoryLine = z.object({ atMs: z.number(), event: z.string(), state: JobState, reason: Reason.nullable() })
export type HistoryLine = z.infer<typeof HistoryLine>

/** A new text where the old one is still what the person saw; an empty one restores the service's. */
const change = (most: number) => z.object({ seen: z.string(), to: z.string().max(most) }).nullable()

export const ExportFormat = z.enum(['csv', 'json', 'html', 'markdown', 'xliff'])
export type ExportFormat = z.infer<typeof ExportFormat>

/** Programs whose import takes a table of pictures. */
export const ExportProfile = z.enum(['wordpress', 'shopify', 'woocommerce'])
export type ExportProfile = z.infer<typeof ExportProfile>

/** How texts come back: as the exports of the same names, edited by a person or another program. */
export const TextFormat = z.enum(['csv', 'json', 'xliff'])
export type TextFormat = z.infer<typeof TextFormat>

const TextEdit = z.object({
  id: z.string(),
  languageCode: z.string().max(20),
  altText: change(MAX_ALT_TEXT_CHARS),
  seoFilename: change(MAX_NAME_CHARS),
  /** The alt text is what word rules made of the service's. */
  byRule: z.boolean().optional(),
})

/** A text as it is, and as word rules would have it. `name`: of the picture's file. */
const RuledText = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  languageCode: z.string(),
  before: z.string(),
  after: z.string(),
})

const PictureText = z.object({ path: z.string(), languageCode: z.string() })

export const TextEdits = z.array(TextEdit).min(1).max(MAX_EDITS)

export const textCalls = {
  /** The texts of a picture as they are now, for what shows or exports many; it looks at no file. */
  'jobs.words': {
    by: 'engine',
    request: z.object({ id: z.string() }),
    response: z.object({ texts: z.array(TextView), decorative: z.boolean() }),
  },
  /** What only the open picture needs of its job. */
  'jobs.texts': {
    by: 'engine',
    request: z.object({ id: z.string() }),
    response: z.object({
      texts: z.array(TextView),
      earlier: z.array(EarlierText),
      decorative: z.boolean(),
      reviewed: z.boolean(),
      /** Results that would be called otherwise now, because the suggested name was edited: by index, with that name. */
      renames: z.array(z.object({ index: z.number().int(), to: z.string() })),
      /** Of the job. */
      history: z.array(HistoryLine),
    }),
  },
  /**
   * A person's own alt text in any language: kept through reprocessing and written into the sidecar. An empty text restores the service's, or
   * takes the person's away. Throws `bad_request` for what is no language. `review`: the job counts as reviewed after it.
   */
  'jobs.editText': {
    by: 'both',
    request: z.object({
      id: z.string(),
      languageCode: z.string().max(20),
      altText: z.string().max(MAX_ALT_TEXT_CHARS),
      review: z.boolean().default(true),
    }),
    response: z.object({
      texts: z.array(TextView),
      sidecarWritten: z.boolean(),
      why: SentenceShape.nullable(),
      filesLeft: z.array(LeftFile),
    }),
  },
  /** A person's own file name, kept like the alt text. Files that exist keep their names until `jobs.renameFiles`. */
  'jobs.editName': {
    by: 'both',
    request: z.object({
      id: z.string(),
      languageCode: z.string().max(20),
      seoFilename: z.string().max(MAX_NAME_CHARS),
    }),
    response: z.object({ texts: z.array(TextView), sidecarWritten: z.boolean(), why: SentenceShape.nullable() }),
  },
  /**
   * As `jobs.editText` and `jobs.editName`, of many pictures; none counts as reviewed after it. All are recorded before any file is written.
   * One is left where its text is another by now, or its picture is gone.
   */
  'jobs.editTexts': {
    by: 'both',
    request: z.object({ edits: TextEdits }),
    response: z.object({
      /** Which of the edits, by index; the others were left. */
      changed: z.array(z.number().int()),
      /** Sidecars and results that do not have their new texts yet, and why the first sidecar does not. */
      unwritten: z.number().int(),
      why: SentenceShape.nullable(),
    }),
  },
  /**
   * Renames the results of a picture as its suggested name says, or with `back` as they were before the last renaming. Never the original,
   * and never over another file. `left`: files that are gone, changed or being written.
   */
  'jobs.renameFiles': {
    by: 'both',
    request: z.object({ id: z.string(), back: z.boolean().default(false) }),
    response: z.object({
      renamed: z.array(z.object({ from: z.string(), to: z.string() })),
      left: z.array(z.string()),
    }),
  },
  /**
   * What word rules would make of the service's own texts of these jobs, up to `MAX_REPLACEMENTS` changes (`more`: the others), and what they
   * flag; nothing is written. `persons`: texts that a person wrote, which rules leave. Each content and language once.
   */
  'jobs.tryRules': {
    by: 'both',
    request: z.object({ ids, rules: WordRules }),
    response: z.object({
      found: z.array(RuledText),
      flagged: z.array(RuledText.omit({ after: true }).extend({ notes: z.array(Note) })),
      texts: z.number().int(),
      persons: z.number().int(),
      more: z.number().int(),
    }),
  },
  /**
   * Whether a picture is only decoration, and has an empty `alt` in pages and exports. Stored by its content and written into the sidecar.
   * Without `reviewed`, a mark counts as reviewing the texts.
   */
  'jobs.decorative': {
    by: 'both',
    request: z.object({
      id: z.string(),
      decorative: z.boolean(),
      reviewed: z.boolean().optional(),
    }),
    response: z.object({
      sidecarWritten: z.boolean(),
      why: SentenceShape.nullable(),
      filesLeft: z.array(LeftFile),
      /** Before this call. */
      wasReviewed: z.boolean(),
    }),
  },
  /** Takes an earlier text away with null, or puts it back. Throws `not_found` for a picture that was never read. */
  'jobs.earlierText': {
    by: 'both',
    request: z.object({
      id: z.string(),
      languageCode: z.string().max(20),
      altText: z.string().max(MAX_ALT_TEXT_CHARS).nullable(),
    }),
    response: z.object({}),
  },
  'jobs.review': { by: 'both', request: z.object({ ids, reviewed: z.boolean() }), response: Changed },
} as const satisfies Calls

export const importCalls = <S extends Side>(at: PlaceForms<S>) =>
  ({
    /**
     * What the texts in a file would change; nothing is changed. `data`: the file in base64, with gzip where `isPacked`; or `file`: where it
     * is. `folder`: of relative paths in it. A picture is found by the content that the file names, else by its path, else by the content
     * of what lies there. Throws `bad_request` for a file that cannot be read.
     */
    'jobs.matchTexts': {
      by: 'both',
      request: z.object({
        format: TextFormat,
        data: z.string().max(MAX_IMPORT_CHARS).nullable().default(null),
        isPacked: z.boolean().default(false),
        file: at.path.nullable().default(null),
        folder: at.folder.nullable().default(null),
      }),
      response: z.object({
        changes: z.array(TextEdit.extend({ path: z.string() })),
        /** Texts that are so already. */
        unchanged: z.number().int(),
        /** Records of a table, or files of a document, that name no picture or are separated in another way. */
        unread: z.array(z.number().int()),
        /** The texts are about a content that is known nowhere now, and another one is there. */
        otherContent: z.array(z.string()),
        /** No picture with texts is known there. */
        unknown: z.array(z.string()),
        /** Codes in the file that are no language, whose texts are left out. */
        noLanguages: z.array(z.string()),
        /** Alone, or with the others of its picture (`MAX_EDITED_BYTES`). */
        tooLong: z.array(PictureText),
        /** Pictures of the same content share their texts, and the file changes them in different ways: none of them counts. */
        contradictory: z.array(PictureText),
      }),
    },
  }) as const satisfies Calls
