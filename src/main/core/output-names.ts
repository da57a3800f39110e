import { namesUse, SEO_STAND_IN } from '../../shared/recipes/name-template.ts'
import { SIDECAR_SUFFIX } from '../../shared/jobs/sidecar.ts'
import type { ImageType, OutputType, Recipe } from '../../shared/recipes/recipe.ts'
import { collisionKey, USUAL_NAME_ROOM } from './naming.ts'
import { sendsCopy, uploadTypeOf, type WorkPlan } from './plan-work.ts'
import { resultFolders, resultName, type NamedResult, type NameFacts } from './result-name.ts'

/** How many taken names are skipped at most. */
const MAX_NUMBERS = 50

interface NamedSource {
  name: string
  type: ImageType
  transparent?: boolean | undefined
  sizeBytes: number
  /** The name of its sidecar, if not the usual one. */
  sidecar?: string
  /** What is known of it that a template needs. */
  facts?: Partial<Pick<NameFacts, 'seoName' | 'language' | 'date' | 'number' | 'size'>>
}

/**
 * Names of a picture's expected outputs in its target folder, with `/` after each folder of a template. `<seo>` stands for a name that
 * the service will suggest. A replaced original is listed under its own name.
 */
export function outputNames(
  source: NamedSource,
  recipe: Recipe,
  plan: WorkPlan,
  isTaken: (name: string) => boolean = () => false,
  room = USUAL_NAME_ROOM,
): string[] {
  return [...resultNames(source, recipe, plan, isTaken, room), source.sidecar ?? `${source.name}${SIDECAR_SUFFIX}`]
}

/** As `outputNames`, without the sidecar. */
function resultNames(
  source: NamedSource,
  recipe: Recipe,
  plan: WorkPlan,
  isTaken: (name: string) => boolean,
  room: number,
): string[] {
  const { naming, longEdge } = recipe
  const replaces = recipe.output.kind === 'replace' && !sendsCopy(recipe, source.type, source.sizeBytes)
  const facts: NameFacts = {
    naming,
    sourceName: source.name,
    longEdge,
    replaces,
    language: recipe.languages[0] ?? '',
    date: null,
    number: null,
    size: null,
    seoName: null,
    ...source.facts,
  }
  const isUnknown = namesUse(naming, 'seo') && plan.send !== null && facts.seoName === null
  const nameOf = (result: NamedResult & { type: OutputType }): string => {
    const named = isUnknown ? { ...facts, seoName: { standsFor: SEO_STAND_IN } } : facts
    const folders = resultFolders(named, result, room)
    const of = (n: number) => [...folders, resultName(named, { ...result, n, room })].join('/')
    let n = 1
    if (!isUnknown) while (n < MAX_NUMBERS && isTaken(of(n))) n += 1
    return of(n)
  }
  const names: string[] = []
  const type = uploadTypeOf(source)
  if (plan.optimized) names.push(replaces ? source.name : nameOf({ role: 'optimized', type }))
  if (plan.converted) names.push(nameOf({ role: 'converted', type: recipe.format }))
  for (const width of plan.widths) names.push(nameOf({ role: 'variant', type: recipe.format, width }))
  return names
}

/** Expected names for the pictures of one batch, in turn: no name is used twice. */
export class ExpectedNames {
  readonly #given = new Set<string>()

  /** As `outputNames`, without the sidecar; `dir` is the folder the files would go into. */
  of(dir: string, ...[source, recipe, plan, isTaken, room]: Parameters<typeof resultNames>): string[] {
    return resultNames(source, recipe, plan, (name) => isTaken(name) || this.has(dir, name), room)
  }

  has(dir: string, name: string): boolean {
    return this.#given.has(keyOf(dir, name))
  }

  give(dir: string, names: readonly string[]): void {
    for (const name of names) this.#given.add(keyOf(dir, name))
  }
}

const keyOf = (dir: string, name: string) => `${dir}\0${collisionKey(name)}`
