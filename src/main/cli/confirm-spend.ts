import type { Recipe } from '../../shared/recipes/recipe.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { BURST_LIMIT, type BatchPrice } from '../core/spend-guard.ts'
import type { Engine } from '../engine/start-engine.ts'
import { countText } from '../core/english-figures.ts'
import { askYesNo } from './ask.ts'
import type { Cli } from './cli-context.ts'

/** `That costs 960 credits …`, or "at most": prices are exact for the full pipeline only. */
export function priceText({ required, balance, shortfall, atMost }: BatchPrice): string {
  const short = shortfall > 0 ? ` That is ${shortfall} more than there are.` : ''
  return `That costs ${atMost ? 'at most ' : ''}${countText(required, 'credit')}; the account has ${balance}.${short}`
}

export const priceUnknownText = (why: string): string => `What it costs is not known: ${why}`

async function askPrice(engine: Pick<Engine, 'call'>, recipe: Recipe, pictures: number): Promise<string> {
  const languages = recipe.operation === 'process' || recipe.operation === 'analyze' ? recipe.languages.length : 1
  const result = await engine.call('credits.afford', { images: pictures, languages, format: recipe.format })
  if (!result.ok) return priceUnknownText(englishText(result.error.sentence))
  return priceText({ ...result.value, atMost: recipe.operation !== 'process' })
}

/**
 * Asks a person to approve a batch that is over the limit. Without a terminal the answer is no, and the output says what to do.
 * A hold by a cap or `--max-credits` cannot be lifted here.
 */
export async function confirmSpend(question: {
  cli: Cli
  engine: Engine
  recipe: Recipe
  pictures: number
  mayAsk: boolean
  stop: AbortSignal
  beforeAsking: () => void
}): Promise<boolean> {
  const { cli, engine, recipe, pictures, mayAsk, stop, beforeAsking } = question
  const { terminal } = cli
  const what = `${countText(pictures, 'picture')} are to be sent (${recipe.operation}). ${await askPrice(engine, recipe, pictures)}`
  if (!mayAsk || !terminal.inIsTty || !terminal.errIsTty) {
    terminal.err(`${what} More than ${BURST_LIMIT} are only sent when you say so: run again with --yes.`)
    return false
  }
  beforeAsking()
  return askYesNo(`${what} Send them?`, stop)
}
