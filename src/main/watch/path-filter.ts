import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { compilePattern, expandBraces, matchBaseName, matchPath, pathNames } from '../core/path-pattern.ts'
import type { Match, MatchBudget } from '../core/path-pattern.ts'
import { ChosenType, type ImageType } from '../../shared/recipes/recipe.ts'
import { globOf, patternProblem } from '../../shared/jobs/folder-patterns.ts'
import { foreignFolder, type ForeignKind } from '../../shared/jobs/foreign-folders.ts'
import { pictureSuffix, suggestedType } from '../../shared/jobs/picture-name.ts'

/** Whether a base name suggests a picture that Hangar can send. The content decides later. */
export function isImageName(name: string): boolean {
  return pictureSuffix(name) !== null && !name.startsWith('.')
}

/** Whether a folder of this base name is never entered: hidden folders (including Hangar's own) and other programs'. */
export function isLeftOutFolderName(name: string): boolean {
  return name.startsWith('.') || foreignFolder(name) !== null
}

/** Why a name that no pattern matches is left out, where a person should know. */
export type WhyLeftOut = 'pattern_too_costly' | 'format_left_out' | Exclude<ForeignKind, 'system'>

export interface FilterOptions {
  /** A file must match one of these, when there are any. */
  include: readonly string[]
  /** A file or folder that matches one of these is left out, whatever `include` says. */
  exclude: readonly string[]
  /** Folders handled elsewhere: outputs, nested watched folders. Relative to the root, `/` between names. */
  leftOut: readonly string[]
  /** The names of these types are left out. */
  withoutTypes?: readonly ImageType[]
}

/** A path that needs more comparisons than this (about two milliseconds) stays undecided and is excluded. */
const MAX_STEPS = 500_000
/** The most globs that braces may expand to. */
const MAX_CHOICES = 100

/** The types whose names are left out; none where nothing is chosen. */
export const typesLeftOut = (alsoTakes: readonly ChosenType[] | undefined): ChosenType[] =>
  alsoTakes === undefined ? [] : ChosenType.options.filter((type) => !alsoTakes.includes(type))

/** Decides by name alone. Paths are relative to the root, `/` between names; the caller checks the parents first. */
export interface PathFilter {
  /** Whether a folder is entered. */
  folder(relativePath: string, name: string): boolean
  /** Whether a file is a source by name. */
  file(relativePath: string, name: string): boolean
  /** Why the last answer was "no" without a matching pattern; null otherwise, and where nobody misses anything. */
  why(): WhyLeftOut | null
}

/**
 * Globs are relative to the folder and case-insensitive; one without a `/` matches base names at any depth, and one that matches a folder covers
 * everything in it. Throws `bad_request` for a glob that can match nothing inside the folder.
 */
export function createPathFilter(options: FilterOptions): PathFilter {
  const included = matcher(options.include)
  const excluded = matcher(options.exclude)
  const leftOut = new Set(options.leftOut)
  const leavesOut = (name: string): boolean =>
    options.withoutTypes?.some((type) => type === suggestedType(name)) === true
  let why: WhyLeftOut | null = null
  const answer = (decide: () => boolean): boolean => {
    why = null
    return decide()
  }
  const sure = (match: Match | undefined, otherwise: boolean, whenUnclear: boolean): boolean => {
    if (match !== 'unclear') return match === undefined ? otherwise : match === 'yes'
    why = 'pattern_too_costly'
    return whenUnclear
  }
  return {
    folder: (relativePath, name) =>
      answer(() => {
        if (name.startsWith('.') || leftOut.has(relativePath)) return false
        if (sure(excluded?.(relativePath), false, true)) return false
        const foreign = foreignFolder(name)
        if (foreign !== null && foreign !== 'system') why = foreign
        return foreign === null
      }),
    file: (relativePath, name) =>
      answer(() => {
        const isNamed =
          isImageName(name) &&
          sure(included?.(relativePath), true, false) &&
          !sure(excluded?.(relativePath), false, true)
        if (!isNamed || !leavesOut(name)) return isNamed
        why = 'format_left_out'
        return false
      }),
    why: () => why,
  }
}

/** Whether a file and every folder above it are accepted, for a path whose parents have not been checked. */
export function acceptsPath(filter: PathFilter, relativePath: string): boolean {
  for (let end = relativePath.indexOf('/'); end !== -1; end = relativePath.indexOf('/', end + 1)) {
    const folder = relativePath.slice(0, end)
    if (!filter.folder(folder, baseName(folder))) return false
  }
  return filter.file(relativePath, baseName(relativePath))
}

export function baseName(relativePath: string): string {
  return relativePath.slice(relativePath.lastIndexOf('/') + 1)
}

function matcher(globs: readonly string[]): ((relativePath: string) => Match) | null {
  if (globs.length === 0) return null
  const patterns = globs.flatMap(expand).map(({ glob, basename }) => ({ pattern: compilePattern(glob), basename }))
  return (relativePath) => {
    const path = pathNames(relativePath)
    const budget: MatchBudget = { left: MAX_STEPS }
    for (const { pattern, basename } of patterns) {
      const match = basename ? matchBaseName(pattern, path, budget) : matchPath(pattern, path, budget)
      if (match !== 'no') return match
    }
    return 'no'
  }
}

/** A glob that matches a folder covers its content: `drafts`, `drafts/` and `drafts/**` mean the same. */
function expand(written: string): { glob: string; basename: boolean }[] {
  const problem = patternProblem(written)
  if (problem !== null) throw new BadPattern(written, problem)
  const choices = expandBraces(globOf(written), MAX_CHOICES)
  if (choices === null) throw new BadPattern(written, say('pattern_too_many', { pattern: written, most: MAX_CHOICES }))
  return choices.flatMap((choice) =>
    choice.includes('/')
      ? [{ glob: choice, basename: false }, ...inside(choice)]
      : [{ glob: choice, basename: true }, ...inside(`**/${choice}`)],
  )
}

/** A glob that cannot be used. */
export class BadPattern extends AppError {
  readonly pattern: string

  constructor(pattern: string, sentence: Sentence) {
    super('bad_request', sentence)
    this.pattern = pattern
  }
}

function inside(glob: string): { glob: string; basename: boolean }[] {
  return glob.endsWith('**') ? [] : [{ glob: `${glob}/**`, basename: false }]
}
