import { SIDECAR_SUFFIX } from '../../shared/jobs/sidecar.ts'
import type { ImageType, OutputType, Recipe } from '../../shared/recipes/recipe.ts'
import { collisionKey, outputName, USUAL_NAME_ROOM } from './naming.ts'
import { sendsCopy, type WorkPlan } from './plan-work.ts'

/** How many taken names are skipped at most. */
const MAX_NUMBERS = 50

interface NamedSource {
  name: string
  type: ImageType
  sizeBytes: number
  /** The name of its sidecar, if not the usual one. */
  sidecar?: string
}

/**
 * Base names of a picture's expected outputs. `<seo>` stands for the name that the service will suggest. A replaced original is
 * listed under its own name.
 */
export function outputNames(
  source: NamedSource,
  recipe: Recipe,
  plan: WorkPlan,
  isTaken: (name: string) => boolean = () => false,
  room = USUAL_NAME_ROOM,
): string[] {
  const suggested = recipe.naming === 'seo' && plan.send !== null
  const nameOf = (role: 'optimized' | 'converted' | 'variant', type: OutputType, width?: number): string => {
    const seoName = suggested ? 'seo' : null
    const of = (n: number) =>
      outputName({ sourceName: source.name, seoName, role, type, n, room, ...(width === undefined ? {} : { width }) })
    // `seo` is only a stand-in for the stem; it is replaced by the placeholder.
    if (suggested) return `<seo>${of(1).slice('seo'.length)}`
    let n = 1
    while (n < MAX_NUMBERS && isTaken(of(n))) n += 1
    return of(n)
  }
  const names: string[] = []
  const replaces = recipe.output.kind === 'replace' && !sendsCopy(recipe, source.sizeBytes)
  if (plan.optimized) names.push(replaces ? source.name : nameOf('optimized', source.type))
  if (plan.converted) names.push(nameOf('converted', recipe.format))
  for (const width of plan.widths) names.push(nameOf('variant', recipe.format, width))
  return [...names, source.sidecar ?? `${source.name}${SIDECAR_SUFFIX}`]
}

/** Expected names for the pictures of one batch, in turn: no name is used twice. */
export class ExpectedNames {
  readonly #given = new Set<string>()

  /** As `outputNames`; `dir` is the folder the files would go into. */
  of(dir: string, ...[source, recipe, plan, isTaken, room]: Required<Parameters<typeof outputNames>>): string[] {
    return outputNames(source, recipe, plan, (name) => isTaken(name) || this.has(dir, name), room)
  }

  has(dir: string, name: string): boolean {
    return this.#given.has(keyOf(dir, name))
  }

  give(dir: string, names: readonly string[]): void {
    for (const name of names) this.#given.add(keyOf(dir, name))
  }
}

const keyOf = (dir: string, name: string) => `${dir}\0${collisionKey(name)}`
