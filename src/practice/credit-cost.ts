import type { ConvertFormat, Operation } from '../shared/recipe.ts'
import { CREDIT_COST } from './not-shown.ts'

/** Credits of one dispatch. `GET /credits/afford` uses the same function for `process`. */
export function creditCost(operation: Operation, languageCount: number, format: ConvertFormat): number {
  const analyze = CREDIT_COST.analyzePerLanguage * languageCount
  const convert = format === 'avif' ? CREDIT_COST.convertAvif : CREDIT_COST.convertWebp
  if (operation === 'analyze') return analyze
  if (operation === 'optimize') return CREDIT_COST.optimize
  return operation === 'convert' ? convert : analyze + CREDIT_COST.optimize + convert
}
