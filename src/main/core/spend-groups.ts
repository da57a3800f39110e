import { ConvertFormat, Operation, type PaidKey } from '../../shared/recipe.ts'
import type { SpendGroup } from './spend-guard.ts'

/**
 * What a batch would dispatch, grouped as prices can be asked for: pictures with the same paid key are sent once. The key
 * names no format where the operation needs none; `format` stands in there.
 */
export function spendGroups(paidKeys: Iterable<PaidKey>, format: ConvertFormat): SpendGroup[] {
  const groups = new Map<string, SpendGroup>()
  for (const paidKey of new Set(paidKeys)) {
    const [operation, languages, ofKey] = paidKey.split('|').slice(-3) as [string, string, string]
    const kind = `${operation}|${languages}|${ofKey}`
    const group = groups.get(kind)
    if (group !== undefined) group.images += 1
    else
      groups.set(kind, {
        operation: Operation.parse(operation),
        languageCount: languages === '-' ? 1 : languages.split(',').length,
        format: ConvertFormat.catch(format).parse(ofKey),
        images: 1,
      })
  }
  return [...groups.values()]
}
