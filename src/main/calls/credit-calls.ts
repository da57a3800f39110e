import { z } from 'zod'
import { AppError } from '../../shared/errors.ts'
import type { Affordability } from '../../shared/contract.ts'
import { Language } from '../../shared/language.ts'
import type { Recipe } from '../../shared/recipe.ts'
import { affordPlan, batchPrice, type AffordQuestion } from '../core/spend-guard.ts'
import { createImageService } from '../services/image-service.ts'
import { askImageService, valueOf } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'

const DAY_MS = 86_400_000

const CachedLanguages = z.object({ atMs: z.number(), languages: z.array(Language) })

const neverAborted = new AbortController().signal

function afford({ lanes }: CallsDeps, question: AffordQuestion): Promise<Affordability> {
  return askImageService(lanes.active(), async (service, lane) =>
    service.afford(question, { slot: await lane.takeSlot(), signal: neverAborted }),
  )
}

/** What one picture of this recipe costs at most: the price is known for the full pipeline only. */
export async function creditsPerImage(deps: CallsDeps, recipe: Recipe): Promise<number> {
  return (await afford(deps, { images: 1, languages: recipe.languages.length, format: recipe.format })).required
}

export function creditCalls(deps: CallsDeps): HandlersOf<'credits'> & HandlersOf<'languages'> {
  const { lanes, documents, context } = deps
  return {
    'credits.balance': async () => ({
      balance: await askImageService(lanes.active(), async (service, lane) =>
        service.balance({ slot: await lane.takeSlot(), signal: neverAborted }),
      ),
    }),
    'credits.afford': async ({ images, languages, format }): Promise<Affordability> => {
      const plan = affordPlan([{ operation: 'process', languageCount: languages, format, images }])
      const answers: Affordability[] = []
      for (const { question } of plan.questions) answers.push(await afford(deps, question))
      const { required, balance, shortfall } = batchPrice(plan, answers)!
      return { canAfford: shortfall === 0, required, balance, shortfall }
    },
    'languages.list': async () => {
      const key = lanes.activeId ?? 'none'
      const cached = documents.get('languages', key, CachedLanguages)
      const ageMs = cached === null ? Infinity : context.clock.nowMs() - cached.atMs
      if (cached !== null && ageMs >= 0 && ageMs < DAY_MS) return { languages: cached.languages }
      const baseUrl = lanes.activeId === null ? null : lanes.baseUrlOf(lanes.activeId)
      if (baseUrl === null) throw new AppError('key_missing', 'No image service is set up. Give its address first.')
      // The one call that needs no key (image service document, Authentication).
      const service = createImageService({
        http: deps.http,
        clock: context.clock,
        baseUrl,
        key: () => null,
        keyHeader: 'bearer',
      })
      const languages = valueOf(await service.languages({ signal: neverAborted }), 'image service')
      documents.put('languages', key, { atMs: context.clock.nowMs(), languages })
      return { languages }
    },
  }
}
