import { z } from 'zod'
import { Folder } from '../../shared/contract/folders.ts'
import { Recipe } from '../../shared/recipes/recipe.ts'
import { MAX_AIRCRAFT } from '../../shared/chargers/route/aircraft.ts'
import { SettingsChange, type Settings } from '../../shared/settings/settings.ts'
import { AircraftEntry } from '../core/aircraft-entries.ts'
import { RECIPE_OPTIONS } from './recipe-options.ts'
import { readFile, stat } from 'node:fs/promises'
import { readJson } from '../core/read-json.ts'
import { problemsOf, type Problem } from './config-problems.ts'

/**
 * A configuration has what a person configures, and nothing of one computer or account: no keys, addresses, ids or saved routes. Absent
 * members stay as they are, at every level, so nothing has a default here. Unknown members are refused: a slip of the hand would go
 * unnoticed.
 */

/** Words about a member, its schema, or the members of a group. */
interface Members {
  readonly [name: string]: string | z.ZodType | Members
}

/** Without a default, and nothing but the members it names. */
function asGiven(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return asGiven(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable) return asGiven(schema.unwrap() as z.ZodType).nullable()
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema
  const [first, ...others] = (schema.options as z.ZodObject[]).map((option) => option.strict())
  return z.discriminatedUnion('kind', [first!, ...others])
}

function shapeOf({ shape }: z.ZodObject, members: Members): Record<string, z.ZodType> {
  const described = Object.entries(members).map(([name, about]): [string, z.ZodType] => {
    if (about instanceof z.ZodType) return [name, about]
    const schema = asGiven(shape[name] as z.ZodType)
    if (typeof about === 'object') return [name, z.strictObject(shapeOf(schema as z.ZodObject, about)).partial()]
    return [name, about === '' ? schema : schema.describe(about)]
  })
  return Object.fromEntries(described)
}

const recipe = z
  .strictObject(
    shapeOf(
      Recipe,
      Object.fromEntries(Object.keys(Recipe.shape).map((name) => [name, RECIPE_OPTIONS[name as keyof Recipe].about])),
    ),
  )
  .partial()

const folder = z.strictObject({
  path: Folder.shape.path
    .max(4096)
    .describe('An existing folder; a relative path is taken from the folder of this file.'),
  ...z
    .object(
      shapeOf(Folder, {
        recipe: recipe.describe(
          'What differs from the recipe that the folder has, or for a new one from the default recipe.',
        ),
        include: 'Only files that match one of these patterns, as in "*.jpg"; all without any.',
        exclude: 'Patterns of what is left out, as in "drafts/".',
        alsoTakes: 'Types that are taken in besides JPEG, PNG, GIF and WebP.',
        askAbove: 'More new pictures at once than this wait for approval; 0 never asks.',
        paused: 'Remembered, but not watched for now.',
      }),
    )
    .partial().shape,
})

/** Besides the recipe. */
export const CONFIG_SETTINGS = {
  caps: {
    perDay: 'Pictures sent in a day; null for no cap.',
    perMonth: 'Pictures sent in a month; null for no cap.',
    perFolderPerDay: 'Pictures sent of each watched folder in a day; null for no cap.',
  },
  notifications: {
    batchDone: 'Notify when a batch is done.',
    needsPerson: 'Notify when something waits for a decision.',
  },
  chargers: {
    refreshMinutes: 'How often chargers are asked for; 0 only by hand.',
    notifyFavourites: 'Notify when a favourite charger changes.',
    aircraft: z
      .array(AircraftEntry)
      .max(MAX_AIRCRAFT)
      .describe('Aircraft to plan with. Those not listed stay as they are.'),
  },
  appearance: { theme: '', language: '' },
  requestsPerMinute: 'Calls that may be made with a key in a minute.',
  retentionDays: 'Days after which finished jobs leave the list.',
  resendUnknownOnce: 'Resend a picture once, without asking, when its answer was lost. It may be charged twice.',
} as const satisfies Members

type Given<Value> = { [Name in keyof Value]?: Value[Name] | undefined }

export interface ConfigFolder extends Given<Pick<Folder, 'include' | 'exclude' | 'alsoTakes' | 'askAbove' | 'paused'>> {
  path: string
  recipe?: Given<Recipe> | undefined
}

type InConfig = typeof CONFIG_SETTINGS
export interface ConfigFile extends Given<Omit<Pick<SettingsChange, keyof InConfig>, 'chargers'>> {
  $schema?: string | undefined
  recipe?: Given<Recipe> | undefined
  folders?: ConfigFolder[] | undefined
  chargers?:
    | Given<
        Pick<Settings['chargers'], 'refreshMinutes' | 'notifyFavourites'> & {
          aircraft: z.infer<InConfig['chargers']['aircraft']>
        }
      >
    | undefined
}

export const ConfigFile = z
  .strictObject({
    $schema: z.string().max(1000).describe('Where an editor finds this schema; Hangar does not read it.'),
    recipe: recipe.describe('The default recipe.'),
    folders: z.array(folder).max(1000).describe('Watched folders. Those not listed stay as they are.'),
    ...shapeOf(SettingsChange, CONFIG_SETTINGS),
  })
  .partial()
  .describe(
    'A configuration of Hangar, for "hangar config import". Absent members stay as they are.',
  ) as unknown as z.ZodType<ConfigFile>

type ConfigSettings = Pick<Settings, 'recipe' | Exclude<keyof InConfig, 'chargers'>> & {
  chargers: Pick<Settings['chargers'], keyof InConfig['chargers']>
}

export function configSettings(settings: Settings): ConfigSettings {
  return { recipe: settings.recipe, ...picked(settings, CONFIG_SETTINGS) } as ConfigSettings
}

function picked(from: object, members: Members): object {
  const values = new Map<string, unknown>(Object.entries(from))
  return Object.fromEntries(
    Object.entries(members).map(([name, about]) => {
      const isGroup = typeof about === 'object' && !(about instanceof z.ZodType)
      return [name, isGroup ? picked(values.get(name) as object, about) : values.get(name)]
    }),
  )
}

/** The JSON schema of a configuration, for editors. */
export function configSchema(): string {
  return `${JSON.stringify({ title: 'Hangar configuration', ...z.toJSONSchema(ConfigFile, { io: 'input' }) }, null, 2)}\n`
}

export type ReadConfig = { ok: true; config: ConfigFile } | { ok: false; problems: Problem[] }

/** A thousand folders with many patterns take less. */
const MAX_MB = 5

/** Returns all that is wrong; never throws. */
export async function readConfigFile(file: string): Promise<ReadConfig> {
  try {
    const stats = await stat(file)
    // Opening a pipe would wait for a writer.
    if (!stats.isFile()) return wrong(`${file} is not a file.`)
    if (stats.size > MAX_MB * 1_000_000) return wrong(`A configuration has at most ${MAX_MB} MB.`)
    return readConfig(await readFile(file))
  } catch (error) {
    return wrong(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function readConfig(bytes: Uint8Array): ReadConfig {
  const read = readJson(bytes)
  return 'wrong' in read ? wrong(read.wrong) : checkConfig(read.value)
}

export function checkConfig(value: unknown): ReadConfig {
  const parsed = ConfigFile.safeParse(value)
  if (parsed.success) return { ok: true, config: parsed.data }
  return { ok: false, problems: parsed.error.issues.flatMap(problemsOf) }
}

const wrong = (message: string): { ok: false; problems: Problem[] } => ({
  ok: false,
  problems: [{ path: '', message }],
})
