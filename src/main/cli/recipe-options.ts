import { resolve } from 'node:path'
import { Option } from 'commander'
import { ConvertFormat, Operation, Recipe, type MetadataPolicy } from '../../shared/recipes/recipe.ts'
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
import { readFileSync, statSync } from 'node:fs'
import { WordRules, type WordRule } from '../../shared/recipes/word-rules.ts'
import { AppError } from '../../shared/sentences/errors.ts'
import { raw, say } from '../../shared/sentences/sentence.ts'
import { readJson } from '../core/read-json.ts'
import { problemsOf } from './config-problems.ts'
import type { CliCommand } from './command.ts'

/** `RECIPE_OPTIONS` has the other flags. */
export interface PictureFlags {
  recipe?: string
  include?: string[]
  exclude?: string[]
}

interface RecipeFlag {
  /** As commander has it. */
  flag: string
  help: string
  /** Words, or what reads a text; without either it is a switch. */
  takes?: readonly string[] | ((text: string) => unknown)
  conflicts?: string
  /** What the recipe gets; without it, what was given. */
  into?: (given: never, cwd: string) => unknown
}

/** How a member is given: `about` explains it in a configuration, the rest is flags. */
interface RecipeOption extends Partial<RecipeFlag> {
  about: string
  /** A second flag for the same member, such as `--no-…` beside a switch. */
  other?: RecipeFlag
  isOfFiles?: true
}

const METADATA: Record<string, MetadataPolicy> = {
  keep: 'keep-all',
  'no-location': 'keep-without-location',
  strip: 'strip',
}

/** All members of a recipe, in the order of the help. */
export const RECIPE_OPTIONS: Readonly<Record<keyof Recipe, RecipeOption>> = {
  name: { about: 'What the recipe is called.' },
  operation: {
    about: 'process: compress, convert and describe; or one of them.',
    flag: '--operation <what>',
    help: 'process: compress, convert and describe (the default); or one of them: optimize, convert, analyze',
    takes: Operation.options,
  },
  languages: {
    about: 'Languages of the alt text, ISO 639-1; the first names the files with naming "seo" or {seo}.',
    flag: '--languages <list>',
    help: 'languages of the alt text, as in en,de,fr (en); with --name seo the first names the files',
    takes: languageList,
  },
  format: {
    about: 'The format to convert to.',
    flag: '--format <format>',
    help: 'the format to convert to (webp)',
    takes: ConvertFormat.options,
  },
  convertOn: {
    about: 'For the operation "convert": here is free and sends nothing.',
    flag: '--convert-on <where>',
    help: 'for --operation convert: here (the default) is free and sends nothing; service costs credits and gives figures only',
    takes: Recipe.shape.convertOn.options,
  },
  quality: {
    about: 'Quality of conversion on this computer.',
    flag: '--quality <n>',
    help: 'of conversion on this computer, 1 to 100 (80)',
    takes: wholeNumber(1, 100),
  },
  longEdge: {
    about: 'The longer side of converted files in pixels; null keeps the size.',
    flag: '--long-edge <px>',
    help: 'scale what is converted on this computer down until its longer side has at most this many pixels; 0 for no limit (0)',
    takes: longEdgeOrNone,
    into: (px: number) => px || null,
  },
  widths: {
    about: 'Widths in pixels of additional narrower files for srcset.',
    flag: '--widths <list>',
    help: 'also make narrower WebP or AVIF files for srcset, as in 640,1280; 0 for none (0)',
    takes: widthList,
  },
  maxSizeKb: {
    about: 'The largest size of each converted file in kB of 1000 bytes, by a lower quality; null for any size.',
    flag: '--max-size <kB>',
    help: 'lower the quality of what is converted on this computer until each file has at most this many kilobytes; 0 for any size (0)',
    takes: maxSizeOrNone,
    into: (kB: number) => kB || null,
  },
  metadata: {
    about: 'Which metadata the results keep.',
    flag: '--metadata <what>',
    help: 'what results keep (no-location); no choice removes the colour profile; credits and copyright stay unless it is strip',
    takes: Object.keys(METADATA),
    into: (what: string) => METADATA[what],
  },
  minSavingPercent: {
    about: 'A compressed file is written only when it saves at least this share; at 0, when it is smaller.',
    flag: '--min-saving <percent>',
    help: 'write a compressed file only when it saves this much (0)',
    takes: numberBetween(0, 100),
  },
  keepLarger: {
    about: 'Also write a converted file that is not smaller.',
    flag: '--if-larger <what>',
    help: 'a converted file that is no smaller than the compressed one, or else the original: drop (the default), or keep',
    takes: ['drop', 'keep'],
    into: (what: string) => what === 'keep',
  },
  replaceLosesExtras: {
    about: 'With output "replace": also originals with a gain map, depth or video that the new file lacks.',
    flag: '--replace-anyway',
    help: 'with --output replace: also originals with an HDR gain map, depth, a video or other views that the compressed file lacks',
  },
  embedTexts: {
    about: 'Write the alt texts into the metadata of the results.',
    flag: '--embed-texts',
    help: 'with --operation process: write the alt texts into the metadata of the results, and keep them there in step with edits',
    other: { flag: '--no-embed-texts', help: 'leave them out, where the stored recipe says otherwise' },
  },
  rules: {
    about: 'Rules about the words of alt texts that come from the service; all of them.',
    flag: '--rules <file>',
    help: 'word rules for the alt texts that come from the service, as JSON; [] for none (see "hangar rules")',
    into: (file: string, cwd) => readRules(resolve(cwd, file)),
  },
  oversize: {
    about: 'Pictures over 10 MB: refused, or a smaller copy is sent.',
    flag: '--oversize <how>',
    help: 'pictures over 10 MB: refuse (the default), or downscale, which sends a smaller copy',
    takes: ['refuse', 'downscale'],
  },
  project: {
    about: 'The project at the service; null for none.',
    flag: '--project-id <ulid>',
    help: 'the project at the service',
    takes: ulidText,
    conflicts: 'projectName',
    into: (id: string) => ({ kind: 'id', id }),
    other: {
      flag: '--project-name <text>',
      help: 'a new project at the service; each upload may create one',
      takes: shortText(200),
      into: (name: string) => ({ kind: 'name', name }),
    },
  },
  output: {
    about: 'Where the results go. A relative "dir" is taken from the folder of this file.',
    flag: '--output <where>',
    help: 'beside the originals (the default), replace (the original goes to a backup, see hangar restore), or a folder',
    into: (where: string, cwd) =>
      where === 'beside' || where === 'replace' ? { kind: where } : { kind: 'folder', dir: resolve(cwd, where) },
    isOfFiles: true,
  },
  naming: {
    about:
      'Names of the results: "original", "seo" as the service suggests, or a template such as "web/{date:YYYY}/{seo}".',
    flag: '--name <template>',
    help: 'names of the results: original (the default), seo for what the service suggests, or a template as in "web/{date:YYYY}/{seo}-{n:3}"',
    takes: naming,
    isOfFiles: true,
  },
}

const GROUP = 'What is done to each picture:'
const FILES_GROUP = 'Which files, and where the results go:'

const FLAGS = (Object.keys(RECIPE_OPTIONS) as (keyof Recipe)[]).flatMap((member) => {
  const { flag, help = '', other, isOfFiles, ...rest } = RECIPE_OPTIONS[member]
  const group = isOfFiles === true ? FILES_GROUP : GROUP
  const all: RecipeFlag[] = [...(flag === undefined ? [] : [{ flag, help, ...rest }]), ...(other ? [other] : [])]
  return all.map((one) => ({ ...one, member, group, name: new Option(one.flag).attributeName() }))
})

/** Which pictures, and what is done to them. */
export function addPictureOptions(command: CliCommand): CliCommand {
  command.addOption(
    new Option(
      '--recipe <name>',
      'begin with a recipe that was saved in the window, as "hangar recipes" lists them; other flags change it for this command',
    ).helpGroup(GROUP),
  )
  for (const { flag, help, takes, conflicts, group } of FLAGS) {
    const option = new Option(flag, help).helpGroup(group).conflicts(conflicts ?? [])
    if (typeof takes === 'function') option.argParser(takes)
    else if (takes !== undefined) option.choices(takes)
    command.addOption(option)
  }
  return command
    .addOption(
      new Option('--include <glob>', 'only files that match, as in "*.jpg"; can be given several times')
        .argParser(collect)
        .helpGroup(FILES_GROUP),
    )
    .addOption(
      new Option('--exclude <glob>', 'leave out what matches, as in "drafts/"; can be given several times')
        .argParser(collect)
        .helpGroup(FILES_GROUP),
    )
}

/** Relative paths are resolved against `cwd`. Throws `bad_request` for a file of rules that is none. */
export function recipeWith(base: Recipe, flags: object, cwd: string): Recipe {
  const given = new Map<string, unknown>(Object.entries(flags))
  const changes = FLAGS.filter(({ name }) => given.get(name) !== undefined).map(({ member, name, into }) => [
    member,
    into === undefined ? given.get(name) : into(given.get(name) as never, cwd),
  ])
  return { ...base, ...(Object.fromEntries(changes) as Partial<Recipe>) }
}

export function hasRecipeFlags(flags: object): boolean {
  const given = new Map<string, unknown>(Object.entries(flags))
  return ['recipe', ...FLAGS.map(({ name }) => name)].some((name) => given.get(name) !== undefined)
}

/** A hundred rules take a tenth of it. */
const MAX_BYTES = 1_000_000

/** A JSON list, as in a configuration. Throws `bad_request` with all that is wrong. */
export function readRules(path: string): WordRule[] {
  const refuse = (why: string) => new AppError('bad_request', say('cli_rules_unusable', { path, why: raw(why) }))
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() !== true) throw new AppError('bad_request', say('path_missing', { path }))
  if (stats.size > MAX_BYTES) throw refuse('It is too large.')
  const read = readJson(readFileSync(path))
  if ('wrong' in read) throw refuse(read.wrong)
  const parsed = WordRules.safeParse(read.value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap(problemsOf)
  throw refuse(problems.map(({ path: at, message }) => (at === '' ? message : `${at}: ${message}`)).join(' '))
}
