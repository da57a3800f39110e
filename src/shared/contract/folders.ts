import { z } from 'zod'
import { FolderReason } from '../sentences/folder-reason.ts'
import { MAX_PATTERN_CHARS, MAX_PATTERNS } from '../jobs/folder-patterns.ts'
import { ChosenType, Recipe } from '../recipes/recipe.ts'
import { nothing, type Calls } from './call.ts'
import { JobCounts } from './jobs.ts'
import { PlaceToken, UiRecipe, type PlaceForms, type Side } from './places.ts'

const AlsoTakes = z.array(ChosenType).max(ChosenType.options.length)
const AskAbove = z.number().int().min(0).max(1_000_000)

const Patterns = z.array(z.string().max(MAX_PATTERN_CHARS)).max(MAX_PATTERNS)

/** A watched folder as it is stored. */
export const Folder = z.object({
  id: z.string(),
  path: z.string().min(1),
  recipe: Recipe,
  include: Patterns,
  exclude: Patterns,
  /** Types that are taken in besides JPEG, PNG, GIF and WebP. */
  alsoTakes: AlsoTakes.default([]),
  paused: z.boolean(),
  /** A burst of more new pictures than this waits until a person approves it; 0 never asks. Caps apply regardless. */
  askAbove: AskAbove.default(100),
  addedAtMs: z.number(),
})
export type Folder = z.infer<typeof Folder>

/**
 * - starting: the first scan has not ended yet
 * - watching: events report changes at once, and a scan every few minutes verifies them
 * - reconciling: a scan is running
 * - polling: only scans notice changes; `because` says why
 * - paused: by a person
 * - refused: it conflicts with another watched folder or its settings are unusable; retried like a missing one
 * - missing: absent or not readable; retried every few seconds; nothing in it counts as deleted
 */
export const FolderPhase = z.enum(['starting', 'watching', 'reconciling', 'polling', 'paused', 'missing', 'refused'])
export type FolderPhase = z.infer<typeof FolderPhase>

/** What the last scan of a folder left out although no pattern excludes it: how many entries, and the first of them. */
export const FolderLeftOut = z.object({
  count: z.number().int().nonnegative(),
  first: z.array(z.object({ path: z.string(), reason: FolderReason })),
})
export type FolderLeftOut = z.infer<typeof FolderLeftOut>

export const FolderView = z.object({
  ...Folder.shape,
  state: FolderPhase,
  /** Why it is in this state: always present for `polling`, `missing` and `refused`. */
  because: FolderReason.nullable(),
  leftOut: FolderLeftOut,
  counts: JobCounts,
})
export type FolderView = z.infer<typeof FolderView>

export const FolderRow = FolderView.omit({ recipe: true }).extend({
  recipe: UiRecipe,
  /** Unix milliseconds of the newest change of one of its jobs; null before the first. */
  lastEventAtMs: z.number().nullable(),
  /** Stands for the folder itself, for `places.reveal` and previews. */
  token: PlaceToken,
})
export type FolderRow = z.infer<typeof FolderRow>

export const folderCalls = <S extends Side>(at: PlaceForms<S>) =>
  ({
    'folders.list': { by: 'engine', request: nothing, response: z.object({ folders: z.array(FolderView) }) },
    'folders.add': {
      by: 'both',
      request: Folder.pick({ include: true, exclude: true, alsoTakes: true, askAbove: true }).extend({
        path: at.folder,
        recipe: at.recipe,
        /** `leave`: existing pictures stay as they are; only those that appear or change later are taken in. */
        existing: z.enum(['take', 'leave']).default('take'),
        /** Remembered, and not watched before a person says so. */
        paused: z.boolean().default(false),
      }),
      response: z.object({ id: z.string() }),
    },
    /** Watches a folder at its new path after a person moved it; its jobs and known files go along. */
    'folders.locate': { by: 'both', request: z.object({ id: z.string(), path: at.folder }), response: nothing },
    'folders.update': {
      by: 'both',
      request: z.object({
        id: z.string(),
        changes: Folder.pick({ include: true, exclude: true, paused: true })
          .extend({ recipe: at.recipe, alsoTakes: AlsoTakes, askAbove: AskAbove })
          .partial(),
        /** Also process existing pictures by the new recipe. */
        reprocess: z.boolean().default(false),
      }),
      response: nothing,
    },
    'folders.remove': { by: 'both', request: z.object({ id: z.string() }), response: nothing },
    /** Watches a removed folder again as it was: same id, recipe and counts. */
    'folders.putBack': { by: 'both', request: z.object({ id: z.string() }), response: nothing },
    'folders.reconcile': { by: 'both', request: z.object({ id: z.string().nullable() }), response: nothing },
  }) as const satisfies Calls
