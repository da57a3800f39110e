import { z } from 'zod'
import { Recipe } from '../recipes/recipe.ts'
import { nothing, type Calls } from './call.ts'

/** A random id of this session for a file or folder. */
export const PlaceToken = z.string().min(16).max(64)
export type PlaceToken = z.infer<typeof PlaceToken>

/** A file or folder that a person picked, dropped or uploaded. `path` is for display only. */
export const Place = z.object({
  token: PlaceToken,
  name: z.string(),
  path: z.string(),
  kind: z.enum(['file', 'folder']),
})
export type Place = z.infer<typeof Place>

/** A recipe as the page sees it: `output.dir` is a token; `path` is the path that it stands for, for display only. */
export const UiRecipe = Recipe.extend({
  output: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('beside') }),
    z.object({ kind: z.literal('replace') }),
    z.object({ kind: z.literal('folder'), dir: PlaceToken, path: z.string() }),
  ]),
})
export type UiRecipe = z.infer<typeof UiRecipe>

/** The two sides of a message. They differ only in how files and folders are represented. */
interface Sides {
  engine: { recipe: z.input<typeof Recipe>; made: string }
  page: { recipe: UiRecipe; made: Place }
}
export type Side = keyof Sides

/** A file or folder in a message: a path for the engine, for a page a token of this session. Responses use `made` for what Hangar wrote. */
export interface PlaceForms<S extends Side> {
  path: z.ZodType<string, string>
  /** A file in a response. */
  file: z.ZodType<string, string>
  folder: z.ZodType<string, string>
  recipe: z.ZodType<Recipe, Sides[S]['recipe']>
  made: z.ZodType<string, Sides[S]['made']>
}

/** The form that the engine uses. */
export const PATHS: PlaceForms<'engine'> = {
  path: z.string().min(1),
  file: z.string(),
  folder: z.string().min(1),
  recipe: Recipe,
  made: z.string(),
}

/** A folder as the page's own folder browser shows it. */
export const BrowseView = z.object({
  here: Place,
  parent: PlaceToken.nullable(),
  /** Sorted by name; at most 2,000. */
  folders: z.array(Place),
  pictures: z.number().int(),
  /** There were more folders than are listed. */
  cut: z.boolean(),
})
export type BrowseView = z.infer<typeof BrowseView>

/** Of a file that a page has saved, in UTF-16 code units. */
const MAX_SAVED_CHARS = 400 * 1024 ** 2

export const placeCalls = <S extends Side>(at: PlaceForms<S>) =>
  ({
    'places.pick': {
      by: 'page',
      request: z.object({ kind: z.enum(['files', 'folder']) }),
      response: z.object({ places: z.array(Place) }),
    },
    /** With null: the person's home folder and the roots beside it. */
    'places.browse': { by: 'page', request: z.object({ folder: at.folder.nullable() }), response: BrowseView },
    'places.makeFolder': {
      by: 'page',
      request: z.object({ parent: at.folder, name: z.string().min(1).max(200) }),
      response: Place,
    },
    /** Asks where to save a text and writes it there; null when the person cancels. */
    'places.saveText': {
      by: 'page',
      request: z.object({ filename: z.string().min(1).max(255), text: z.string().max(MAX_SAVED_CHARS) }),
      response: z.object({ savedAs: z.string().nullable() }),
    },
    'places.reveal': { by: 'page', request: z.object({ path: at.path }), response: nothing },
  }) as const satisfies Calls
