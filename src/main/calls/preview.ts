import type { IntakePreview } from '../../shared/contract.ts'
import { NO_SERVICE } from '../../shared/recipe.ts'
import { previewIntake, type PreviewOrder } from '../intake-preview.ts'
import type { CallsDeps } from './call-deps.ts'
import { priceOf } from './price.ts'

/** A person looks at the preview meanwhile: the price may be missing. */
const LONGEST_PRICE_MS = 10_000

/** What adding some files or a folder would mean. */
export async function previewCall(deps: CallsDeps, order: PreviewOrder): Promise<IntakePreview> {
  const { context, lanes, own, stopping } = deps
  const { facts, groups } = await previewIntake(context, order, lanes.activeId ?? NO_SERVICE, own(), stopping)
  const late = new AbortController()
  const cancel = context.clock.setTimer(LONGEST_PRICE_MS, () => late.abort())
  const signal = AbortSignal.any([stopping, late.signal])
  const price = await priceOf(deps, groups, signal)
    .then((asked) => ({ ...asked, atMost: asked.atMost || facts.estimated }))
    .catch((error: unknown) => {
      context.log.debug('no price for a preview', { error: String(error) })
      return null
    })
    .finally(cancel)
  return { ...facts, price }
}
