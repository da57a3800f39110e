import { z } from 'zod'
import { AppError } from '../../../shared/sentences/errors.ts'
import { say } from '../../../shared/sentences/sentence.ts'
import { Language } from '../../../shared/recipes/language.ts'
import { NO_SERVICE, type Recipe, type ServiceId } from '../../../shared/recipes/recipe.ts'
import { createImageService } from '../../services/image-service.ts'
import { isPrice } from '../../core/credit-limit.ts'
import { valueOf, afford, askBalance, priceOf, type AskingDeps } from './ask-service.ts'
import type { CallsDeps, HandlersOf } from './call-deps.ts'
import type { CreditHistory } from '../../../shared/contract/credits.ts'
import { localDay } from '../../../shared/runtime/local-day.ts'
import { neededSinceMs, spendHistory } from '../../core/spend-history.ts'
import { balancesSince, sentTimesSince } from '../../journal/history.ts'
import { sentSince } from '../../journal/spending.ts'
import { startOfDay, startOfMonth } from '../../queue/spend.ts'

const DAY_MS = 86_400_000

const CachedLanguages = z.object({ atMs: z.number(), languages: z.array(Language) })

/** An upper bound of the price of one picture, which is known for the full pipeline only. */
export async function creditsPerImage(deps: AskingDeps, recipe: Recipe): Promise<number | null> {
  const question = { images: 1, languages: recipe.languages.length, format: recipe.format }
  const { required } = await afford(deps, question)
  return isPrice(required) ? required : null
}

export function creditCalls(deps: CallsDeps): HandlersOf<'credits'> & HandlersOf<'languages'> {
  const { lanes } = deps
  return {
    'credits.balance': async () => ({ balance: await askBalance(deps) }),
    'credits.afford': async ({ images, languages, format }) => {
      const group = { operation: 'process', languageCount: languages, format, images } as const
      const { required, balance, shortfall } = await priceOf(deps, [group])
      return { canAfford: shortfall === 0, required, balance, shortfall }
    },
    'credits.history': ({ days }) => creditHistory(deps, days),
    'languages.list': async () => {
      const { activeId } = lanes
      return { languages: await languagesAt(deps, activeId, activeId === null ? null : lanes.baseUrlOf(activeId)) }
    },
  }
}

/** The languages of a service, fetched once a day. Throws `key_missing` when no address is set. */
export async function languagesAt(
  deps: Pick<CallsDeps, 'documents' | 'http' | 'stopping'> & {
    context: Pick<CallsDeps['context'], 'clock' | 'settings'>
  },
  serviceId: ServiceId | null,
  baseUrl: string | null,
): Promise<Language[]> {
  const { documents, http, stopping } = deps
  const { clock, settings } = deps.context
  const key = serviceId ?? NO_SERVICE
  const cached = documents.get('languages', key, CachedLanguages)
  const ageMs = cached === null ? Infinity : clock.nowMs() - cached.atMs
  if (cached !== null && ageMs >= 0 && ageMs < DAY_MS) return cached.languages
  if (baseUrl === null) throw new AppError('key_missing', say('image_service_not_set_up'))
  // The one call that needs no key (image service document, Authentication).
  const service = createImageService({ http, clock, baseUrl, key: () => null, settings: settings() })
  const languages = valueOf(await service.languages({ signal: stopping }))
  documents.put('languages', key, { atMs: clock.nowMs(), languages })
  return languages
}

/** The spend of the last days at the service in use, from the journal only. */
function creditHistory({ context, lanes }: CallsDeps, dayCount: number): CreditHistory {
  const { db, clock } = context
  const nowMs = clock.nowMs()
  const days = lastDays(nowMs, dayCount)
  const fromMs = days[0]!.startMs
  const serviceId = lanes.activeId
  const team = lanes.active()?.ledger.spent() ?? null
  const balances = serviceId === null ? [] : balancesSince(db, serviceId, neededSinceMs(fromMs, nowMs))
  const sent = new Map<string, number>()
  for (const atMs of serviceId === null ? [] : sentTimesSince(db, serviceId, fromMs))
    sent.set(localDay(atMs), (sent.get(localDay(atMs)) ?? 0) + 1)
  const { byDay, perDay } = spendHistory(balances, localDay, nowMs)
  return {
    fromMs,
    untilMs: nowMs,
    balances: balances.filter((_, n) => (balances[n + 1]?.atMs ?? Infinity) > fromMs),
    days: days.map(({ day }) => ({ day, sent: sent.get(day) ?? 0, credits: rounded(byDay.get(day) ?? null) })),
    perDay: rounded(perDay),
    sentToday: serviceId === null ? 0 : sentSince(db, serviceId, startOfDay(nowMs)),
    sentThisMonth: serviceId === null ? 0 : sentSince(db, serviceId, startOfMonth(nowMs)),
    team: team === null ? null : { sentToday: team.today, sentThisMonth: team.thisMonth },
  }
}

const rounded = (credits: number | null) => (credits === null ? null : Math.round(credits * 100) / 100)

/** Today and the days before it, oldest first; days are not all equally long. */
function lastDays(nowMs: number, count: number): { day: string; startMs: number }[] {
  return Array.from({ length: count }, (_, n) => {
    const noon = new Date(nowMs)
    noon.setHours(12, 0, 0, 0)
    noon.setDate(noon.getDate() - (count - 1 - n))
    const startMs = startOfDay(noon.getTime())
    return { day: localDay(startMs), startMs }
  })
}
