import { namesUse, SEO_STAND_IN } from '../../shared/recipes/name-template.ts'
import type { ImageType, OutputType, Recipe } from '../../shared/recipes/recipe.ts'
import { USUAL_NAME_ROOM } from './naming.ts'
import { sendsCopy, uploadTypeOf, type WorkPlan } from './plan-work.ts'
import { resultFolders, resultName, type NamedResult, type NameFacts } from './result-name.ts'

interface NamedSource {
  name: string
  type: ImageType
  transparent?: boolean | undefined
  sizeBytes: number
  /** What is known of it that a template needs. */
  facts?: Partial<Pick<NameFacts, 'seoName' | 'language' | 'date' | 'number' | 'size'>>
}

/** The nth name that is tried for a result. `isFixed`: it has only the first, whatever is there. */
interface ExpectedName {
  nth: (n: number) => string
  isFixed: boolean
}

/** With `/` after each folder of a template. `<seo>` stands for a name that the service will suggest. */
export function expectedNames(
  source: NamedSource,
  recipe: Recipe,
  plan: WorkPlan,
  room = USUAL_NAME_ROOM,
): ExpectedName[] {
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
  const named = isUnknown ? { ...facts, seoName: { standsFor: SEO_STAND_IN } } : facts
  const nameOf = (result: NamedResult & { type: OutputType }): ExpectedName => {
    const folders = resultFolders(named, result, room)
    return { nth: (n) => [...folders, resultName(named, { ...result, n, room })].join('/'), isFixed: isUnknown }
  }
  const type = uploadTypeOf(source)
  const optimized = replaces ? { nth: () => source.name, isFixed: true } : nameOf({ role: 'optimized', type })
  return [
    ...(plan.optimized ? [optimized] : []),
    ...(plan.converted ? [nameOf({ role: 'converted', type: recipe.format })] : []),
    ...plan.widths.map((width) => nameOf({ role: 'variant', type: recipe.format, width })),
  ]
}
