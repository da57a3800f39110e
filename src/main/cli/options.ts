import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { MetadataPolicy, Recipe } from '../../shared/recipes/recipe.ts'
import { MAX_REQUESTS_PER_MINUTE } from '../../shared/recipes/limits.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import {
  collect,
  languageList,
  longEdgeOrNone,
  maxSizeOrNone,
  naming,
  numberBetween,
  shortText,
  ulidText,
  widthList,
  wholeNumber,
} from './parse-options.ts'
import { readRules } from './read-rules.ts'

export interface CommonFlags {
  dataDir?: string
  json?: boolean
  verbose?: boolean
}

/** Flags of commands that use a service. */
export interface ServiceFlags extends CommonFlags {
  serviceUrl?: string
  chargerUrl?: string
  keyHeader?: 'bearer' | 'x-api-key'
  practice?: boolean
  ledger?: string
}

export interface RecipeFlags {
  recipe?: string
  operation?: Recipe['operation']
  languages?: string[]
  format?: Recipe['format']
  convertOn?: Recipe['convertOn']
  projectId?: string
  projectName?: string
  output?: string
  name?: Recipe['naming']
  minSaving?: number
  quality?: number
  longEdge?: number
  widths?: number[]
  maxSize?: number
  metadata?: 'keep' | 'no-location' | 'strip'
  oversize?: Recipe['oversize']
  ifLarger?: 'keep' | 'drop'
  replaceAnyway?: true
  embedTexts?: boolean
  rules?: string
}

export interface FilterFlags {
  include?: string[]
  exclude?: string[]
}

const SERVICE = 'Service:'
const RECIPE = 'What is done to each picture:'
const FILES = 'Which files, and where the results go:'
const GENERAL = 'General:'

export function addCommonOptions(command: Command): Command {
  return command
    .addOption(new Option('--json', 'one JSON object a line on stdout, for programs').helpGroup(GENERAL))
    .addOption(new Option('--data-dir <dir>', 'where the journal is kept; or HANGAR_DATA_DIR').helpGroup(GENERAL))
    .addOption(new Option('-v, --verbose', 'also say what goes on inside (stderr)').helpGroup(GENERAL))
}

export function addImageServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--service-url <url>', 'the image service, its address ends in /api/v1; or HANGAR_SERVICE_URL')
        .conflicts('practice')
        .helpGroup(SERVICE),
    )
    .addOption(
      new Option('--key-header <header>', 'the header that the key travels in')
        .choices(['bearer', 'x-api-key'])
        .helpGroup(SERVICE),
    )
    .addOption(practiceOption())
    .addOption(ledgerOption())
}

export function ledgerOption(): Option {
  return new Option(
    '--ledger <url>',
    'the team ledger of computers that share the account, as postgres://user@host/database; or HANGAR_LEDGER_URL',
  ).helpGroup(SERVICE)
}

export function addChargerServiceOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--charger-url <url>', 'the charger service, its address has no /api/v1; or HANGAR_CHARGER_URL')
        .conflicts('practice')
        .helpGroup(SERVICE),
    )
    .addOption(practiceOption())
}

function practiceOption(): Option {
  return new Option(
    '--practice',
    'use a practice service on this computer: no account, no real credits, gone at the end',
  ).helpGroup(SERVICE)
}

// oxlint-disable-next-line max-lines-per-function -- a list of flags, in the order of the help
export function addRecipeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--recipe <name>',
        'begin with a recipe that was saved in the window, as "hangar recipes" lists them; other flags change it for this command',
      ).helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--operation <what>',
        'process: compress, convert and describe (the default); or one of them: optimize, convert, analyze',
      )
        .choices(['process', 'analyze', 'optimize', 'convert'])
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--languages <list>',
        'languages of the alt text, as in en,de,fr (en); with --name seo the first names the files',
      )
        .argParser(languageList)
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option('--format <format>', 'the format to convert to (webp)').choices(['webp', 'avif']).helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--convert-on <where>',
        'for --operation convert: here (the default) is free and sends nothing; service costs credits and gives figures only',
      )
        .choices(['here', 'service'])
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option('--quality <n>', 'of conversion on this computer, 1 to 100 (80)')
        .argParser(wholeNumber(1, 100))
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--long-edge <px>',
        'scale what is converted on this computer down until its longer side has at most this many pixels; 0 for no limit (0)',
      )
        .argParser(longEdgeOrNone)
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option('--widths <list>', 'also make narrower WebP or AVIF files for srcset, as in 640,1280; 0 for none (0)')
        .argParser(widthList)
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--max-size <kB>',
        'lower the quality of what is converted on this computer until each file has at most this many kilobytes; 0 for any size (0)',
      )
        .argParser(maxSizeOrNone)
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--metadata <what>',
        'what results keep (no-location); the colour profile always stays, credits and copyright unless it is strip',
      )
        .choices(['keep', 'no-location', 'strip'])
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option('--min-saving <percent>', 'write a compressed file only when it saves this much (0)')
        .argParser(numberBetween(0, 100))
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--if-larger <what>',
        'a converted file that is no smaller than the compressed one, or else the original: drop (the default), or keep',
      )
        .choices(['drop', 'keep'])
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--replace-anyway',
        'with --output replace: also originals with an HDR gain map, depth, a video or other views that the compressed file lacks',
      ).helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--embed-texts',
        'with --operation process: write the alt texts into the metadata of the results, and keep them there in step with edits',
      ).helpGroup(RECIPE),
    )
    .addOption(
      new Option('--no-embed-texts', 'leave them out, where the stored recipe says otherwise').helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--rules <file>',
        'word rules for the alt texts that come from the service, as JSON; [] for none (see "hangar rules")',
      ).helpGroup(RECIPE),
    )
    .addOption(
      new Option(
        '--oversize <how>',
        'pictures over 10 MB: refuse (the default), or downscale, which sends a smaller copy',
      )
        .choices(['refuse', 'downscale'])
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option('--project-id <ulid>', 'the project at the service')
        .argParser(ulidText)
        .conflicts('projectName')
        .helpGroup(RECIPE),
    )
    .addOption(
      new Option('--project-name <text>', 'a new project at the service; each upload may create one')
        .argParser(shortText(200))
        .helpGroup(RECIPE),
    )
}

export function addFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--output <where>',
        'beside the originals (the default), replace (the original goes to a backup, see hangar restore), or a folder',
      ).helpGroup(FILES),
    )
    .addOption(
      new Option(
        '--name <template>',
        'names of the results: original (the default), seo for what the service suggests, or a template as in "web/{date:YYYY}/{seo}-{n:3}"',
      )
        .argParser(naming)
        .helpGroup(FILES),
    )
    .addOption(
      new Option('--include <glob>', 'only files that match, as in "*.jpg"; can be given several times')
        .argParser(collect)
        .helpGroup(FILES),
    )
    .addOption(
      new Option('--exclude <glob>', 'leave out what matches, as in "drafts/"; can be given several times')
        .argParser(collect)
        .helpGroup(FILES),
    )
}

export function addRateOption(command: Command): Command {
  return command.addOption(
    new Option('--requests-per-minute <n>', 'calls that may be made with this key in a minute (60)')
      .argParser(wholeNumber(1, MAX_REQUESTS_PER_MINUTE))
      .helpGroup(SERVICE),
  )
}

const METADATA: Record<NonNullable<RecipeFlags['metadata']>, MetadataPolicy> = {
  keep: 'keep-all',
  'no-location': 'keep-without-location',
  strip: 'strip',
}

/** The recipe with the flags applied; relative paths are resolved against `cwd`. Throws `bad_request` for a file of rules that is none. */
export function recipeWith(base: Recipe, flags: RecipeFlags, cwd: string): Recipe {
  const recipe: Recipe = { ...base }
  if (flags.operation !== undefined) recipe.operation = flags.operation
  if (flags.languages !== undefined) recipe.languages = flags.languages
  if (flags.format !== undefined) recipe.format = flags.format
  if (flags.convertOn !== undefined) recipe.convertOn = flags.convertOn
  if (flags.quality !== undefined) recipe.quality = flags.quality
  if (flags.longEdge !== undefined) recipe.longEdge = flags.longEdge === 0 ? null : flags.longEdge
  if (flags.widths !== undefined) recipe.widths = flags.widths
  if (flags.maxSize !== undefined) recipe.maxSizeKb = flags.maxSize === 0 ? null : flags.maxSize
  if (flags.metadata !== undefined) recipe.metadata = METADATA[flags.metadata]
  if (flags.oversize !== undefined) recipe.oversize = flags.oversize
  if (flags.ifLarger !== undefined) recipe.keepLarger = flags.ifLarger === 'keep'
  if (flags.replaceAnyway === true) recipe.replaceLosesExtras = true
  if (flags.embedTexts !== undefined) recipe.embedTexts = flags.embedTexts
  if (flags.rules !== undefined) recipe.rules = readRules(resolve(cwd, flags.rules))
  if (flags.minSaving !== undefined) recipe.minSavingPercent = flags.minSaving
  if (flags.name !== undefined) recipe.naming = flags.name
  if (flags.projectId !== undefined) recipe.project = { kind: 'id', id: flags.projectId }
  if (flags.projectName !== undefined) recipe.project = { kind: 'name', name: flags.projectName }
  if (flags.output !== undefined)
    recipe.output =
      flags.output === 'beside' || flags.output === 'replace'
        ? { kind: flags.output }
        : { kind: 'folder', dir: resolve(cwd, flags.output) }
  return recipe
}

const RECIPE_FLAGS: Readonly<Record<keyof RecipeFlags, true>> = {
  recipe: true,
  operation: true,
  languages: true,
  format: true,
  convertOn: true,
  projectId: true,
  projectName: true,
  output: true,
  name: true,
  minSaving: true,
  quality: true,
  longEdge: true,
  widths: true,
  maxSize: true,
  metadata: true,
  oversize: true,
  ifLarger: true,
  replaceAnyway: true,
  embedTexts: true,
  rules: true,
}

export function hasRecipeFlags(flags: RecipeFlags): boolean {
  return Object.keys(RECIPE_FLAGS).some((name) => flags[name as keyof RecipeFlags] !== undefined)
}

/** The settings that flags and environment override for one run. Empty variables count as unset. */
export function settingsOverrides(
  flags: ServiceFlags & { requestsPerMinute?: number },
  env: NodeJS.ProcessEnv,
): Partial<Settings> {
  const overrides: Partial<Settings> = {}
  const image = flags.serviceUrl ?? variable(env, 'HANGAR_SERVICE_URL')
  const chargers = flags.chargerUrl ?? variable(env, 'HANGAR_CHARGER_URL')
  if (image !== undefined) overrides.imageBaseUrl = image
  if (chargers !== undefined) overrides.chargerBaseUrl = chargers
  const ledger = flags.ledger ?? variable(env, 'HANGAR_LEDGER_URL')
  if (ledger !== undefined) overrides.ledgerUrl = ledger
  if (flags.keyHeader !== undefined) overrides.keyHeader = flags.keyHeader
  if (flags.requestsPerMinute !== undefined) overrides.requestsPerMinute = flags.requestsPerMinute
  return overrides
}

function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : value
}
