import { AppError } from '../../shared/sentences/errors.ts'
import { say, type Sentence } from '../../shared/sentences/sentence.ts'
import { ConvertFormat, Operation, type PaidKey } from '../../shared/recipes/recipe.ts'
import type { Settings } from '../../shared/settings/settings.ts'
import { isPrice } from './credit-limit.ts'

/* Every price here is one that the service gave for `process` (`GET /credits/afford`), and an upper bound for any other operation. */

/** More dispatches than this in one batch wait for a person's approval, unless another number is set. */
export const BURST_LIMIT = 100
/** Image service document, Limits: `images` is 1 to 100. */
const MAX_IMAGES_PER_QUESTION = 100

/** In dispatches, not credits, because dispatches are known exactly. Null means no cap. */
export type SpendCaps = Settings['caps']

/** Dispatches already made; they count as sent whether or not there was an answer. */
export interface SpentSoFar {
  today: number
  thisMonth: number
  /** In the job's folder; 0 for work without a folder. */
  inFolderToday: number
}

export interface SpendQuestion {
  /** All waiting dispatches of this batch: a first intake, a moved tree or a burst counts as a whole. */
  dispatchesWaiting: number
  /** A batch with more than this needs an approval; `Infinity` for never. */
  askAbove: number
  /** A person approved this batch, or passed `--yes`. Does not lift a cap. */
  confirmed: boolean
  caps: SpendCaps
  spent: SpentSoFar
  /** `--max-credits`, or null. It needs a price; without one nothing is sent. */
  maxCredits: number | null
  /** An upper bound of the credits that this run has spent. */
  creditsSpent: number
  /** An upper bound of the credits for one image of this kind; null if unknown. */
  creditsPerImage: number | null
}

export type SpendHold =
  | { why: 'burst'; dispatches: number; limit: number }
  | { why: 'cap'; cap: keyof SpendCaps; limit: number; spent: number }
  | { why: 'max_credits'; limit: number; spent: number; perImage: number }
  | { why: 'price_unknown'; limit: number }

type SpendDecision =
  /** Send up to `dispatches` now, then ask again. */
  { kind: 'allow'; dispatches: number } | { kind: 'hold'; hold: SpendHold }

/** Caps and `--max-credits` let through what still fits; a burst waits as a whole, because a person is asked whether it was intended. */
export function decideSpend(question: SpendQuestion): SpendDecision {
  const { dispatchesWaiting, confirmed } = question
  const wanted = checkedCount(dispatchesWaiting, 'dispatches waiting')
  if (wanted > question.askAbove && !confirmed)
    return held({ why: 'burst', dispatches: wanted, limit: question.askAbove })
  const cap = tightestCap(question.caps, question.spent)
  if (cap !== null && cap.left < 1) return held({ why: 'cap', cap: cap.name, limit: cap.limit, spent: cap.spent })
  const credits = affordableWithin(question)
  if (typeof credits === 'object') return held(credits)
  return { kind: 'allow', dispatches: Math.min(wanted, cap?.left ?? wanted, credits) }
}

/** How many dispatches of a future batch would be held once everything allowed has been sent, and why; null if none would. */
export function expectedHold(question: SpendQuestion): { dispatches: number; hold: SpendHold } | null {
  const decision = decideSpend(question)
  if (decision.kind === 'hold') return { dispatches: question.dispatchesWaiting, hold: decision.hold }
  const sent = decision.dispatches
  const left = question.dispatchesWaiting - sent
  if (left <= 0) return null
  const { spent, creditsSpent, creditsPerImage } = question
  const then = decideSpend({
    ...question,
    dispatchesWaiting: left,
    spent: { today: spent.today + sent, thisMonth: spent.thisMonth + sent, inFolderToday: spent.inFolderToday + sent },
    creditsSpent: creditsSpent + sent * (creditsPerImage ?? 0),
  })
  return then.kind === 'hold' ? { dispatches: left, hold: then.hold } : null
}

function held(hold: SpendHold): SpendDecision {
  return { kind: 'hold', hold }
}

interface CapState {
  name: keyof SpendCaps
  limit: number
  spent: number
  left: number
}

function tightestCap(caps: SpendCaps, spent: SpentSoFar): CapState | null {
  const used = { perDay: spent.today, perMonth: spent.thisMonth, perFolderPerDay: spent.inFolderToday }
  let tightest: CapState | null = null
  for (const name of ['perDay', 'perMonth', 'perFolderPerDay'] as const) {
    const limit = caps[name]
    if (limit === null) continue
    const left = Math.floor(checkedCount(limit, name) - checkedCount(used[name], `sent, for ${name}`))
    if (tightest === null || left < tightest.left) tightest = { name, limit, spent: used[name], left }
  }
  return tightest
}

/** The number of images that `--max-credits` allows, or why none. */
function affordableWithin({ maxCredits, creditsSpent, creditsPerImage }: SpendQuestion): number | SpendHold {
  if (maxCredits === null) return Infinity
  const limit = checkedCount(maxCredits, 'max credits')
  if (creditsPerImage === null || !isPrice(creditsPerImage)) return { why: 'price_unknown', limit }
  const count = Math.floor((limit - checkedCount(creditsSpent, 'credits spent')) / creditsPerImage)
  if (count >= 1) return count
  return { why: 'max_credits', limit, spent: creditsSpent, perImage: creditsPerImage }
}

/** A reason's detail, including what would release the work. */
export function describeHold(hold: SpendHold): Sentence {
  switch (hold.why) {
    case 'burst':
      return say('burst', { pictures: hold.dispatches, limit: hold.limit })
    case 'cap':
      return say(CAP_SENTENCES[hold.cap], { spent: hold.spent, limit: hold.limit })
    case 'max_credits':
      return say('credit_limit', { spent: rounded(hold.spent), limit: hold.limit, perImage: rounded(hold.perImage) })
    case 'price_unknown':
      return say('no_price', { limit: hold.limit })
  }
}

const rounded = (credits: number): number => Math.round(credits * 100) / 100

const CAP_SENTENCES = {
  perDay: 'cap_per_day',
  perMonth: 'cap_per_month',
  perFolderPerDay: 'cap_per_folder',
} as const satisfies Record<keyof SpendCaps, string>

/** Images of one batch for which `GET /credits/afford` gives the same price. */
export interface SpendGroup {
  operation: Operation
  languageCount: number
  format: ConvertFormat
  images: number
}

/** One `GET /credits/afford`. */
export interface AffordQuestion {
  images: number
  languages: number
  format: ConvertFormat
}

interface AffordPlan {
  /** Each is asked once, even if it counts several times. */
  questions: { question: AffordQuestion; times: number }[]
  /** The batch has other operations than the full pipeline, so the sum is an upper bound. */
  atMost: boolean
}

/** Groups of equal language count and format, each asked for one hundred images, which counts as often as it fits, and the remainder. */
export function affordPlan(groups: readonly SpendGroup[]): AffordPlan {
  const byPrice = new Map<string, AffordQuestion>()
  for (const group of groups) {
    const images = checkedCount(group.images, 'images')
    const languages = group.operation === 'process' || group.operation === 'analyze' ? group.languageCount : 1
    const key = `${languages} ${group.format}`
    const sum = byPrice.get(key)
    if (sum === undefined) byPrice.set(key, { images, languages, format: group.format })
    else sum.images += images
  }
  const questions = [...byPrice.values()].flatMap(splitIntoHundreds)
  return { questions, atMost: groups.some((group) => group.images > 0 && group.operation !== 'process') }
}

function splitIntoHundreds({ images, languages, format }: AffordQuestion): AffordPlan['questions'] {
  const hundreds = Math.floor(images / MAX_IMAGES_PER_QUESTION)
  const rest = images % MAX_IMAGES_PER_QUESTION
  return [
    { question: { images: MAX_IMAGES_PER_QUESTION, languages, format }, times: hundreds },
    { question: { images: rest, languages, format }, times: rest > 0 ? 1 : 0 },
  ].filter(({ times }) => times > 0)
}

/** The members of `GET /credits/afford` that are used; `can_afford` and `shortfall` concern only one part of the batch. */
interface AffordAnswer {
  required: number
  balance: number
}

export interface BatchPrice {
  required: number
  balance: number
  shortfall: number
  atMost: boolean
}

/** `answers` to `plan.questions`; the lowest of their balances counts. Null for an empty batch. Throws `service_error` for no price. */
export function batchPrice(plan: AffordPlan, answers: readonly AffordAnswer[]): BatchPrice | null {
  if (answers.length === 0) return null
  if (!answers.every(({ required }) => isPrice(required))) throw new AppError('service_error', say('price_unusable'))
  const required = plan.questions.reduce((sum, { times }, index) => sum + times * (answers[index]?.required ?? 0), 0)
  const balance = Math.min(...answers.map((answer) => answer.balance))
  return { required, balance, shortfall: Math.max(0, required - balance), atMost: plan.atMost }
}

function checkedCount(value: number, what: string): number {
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`${what} must be a number of at least 0, not ${value}`)
  return value
}

/** Pictures with the same paid key are sent once. `format`: for keys without one, whose operation needs none. */
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
