import type { Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { Affordability } from '../../shared/contract/credits.ts'
import type { ConvertFormat } from '../../shared/recipes/recipe.ts'
import { valueOf } from '../engine/calls/ask-service.ts'
import { affordPlan, batchPrice } from '../core/spend-guard.ts'
import { realClock } from '../engine/real-clock.ts'
import type { ImageService } from '../core/image-service.ts'
import { createImageService } from '../services/image-service.ts'
import { orThrow } from '../../shared/contract/call.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { addCommonOptions, addImageServiceOptions, type ServiceFlags } from './options.ts'
import { languageCount, wholeNumber } from './parse-options.ts'
import { requireImageService } from './require-service.ts'
import { NEVER_STOPPED } from './stopping.ts'
import { wireCommand, type Wired } from './wire-command.ts'
import { Option } from 'commander'

interface CreditsFlags extends ServiceFlags {
  images?: number
  languages: number
  format: ConvertFormat
}

/** Answers from an engine, or directly from the service. */
interface CreditAnswers {
  balance(): Promise<number>
  afford(question: { images: number; languages: number; format: ConvertFormat }): Promise<Affordability>
}

export function addCreditsCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('credits')
    .summary('the balance, and what a batch would cost')
    .description(
      'Shows the credits of the account. With --images: what that many pictures cost with the full pipeline (describe, compress, convert), and whether there are enough. Asking is free.',
    )
    .option('--images <n>', 'how many pictures', wholeNumber(1, 1_000_000))
    .option(
      '--languages <n|list>',
      'alt-text languages for each picture: a number, or a list as in en,de',
      languageCount,
      1,
    )
    .addOption(new Option('--format <format>', 'the format to convert to').choices(['webp', 'avif']).default('webp'))
    .addHelpText('after', '\nExit status 4 when the batch costs more than there is.')
  addCommonOptions(addImageServiceOptions(command)).action(async (flags: CreditsFlags) =>
    finish(await showCredits(cli, flags)),
  )
}

async function showCredits(cli: Cli, flags: CreditsFlags): Promise<ExitCode> {
  const wired = await wireCommand(cli, flags)
  try {
    await requireImageService(wired)
    return await withAnswers(wired, async (answers) => {
      if (flags.images === undefined) {
        const balance = await answers.balance()
        if (flags.json === true) cli.terminal.json({ event: 'credits', balance })
        else cli.terminal.out(countText(balance, 'credit'))
        return ExitCode.ok
      }
      const { images, languages, format } = flags
      const { required, balance, shortfall, canAfford } = await answers.afford({ images, languages, format })
      if (flags.json === true)
        cli.terminal.json({ event: 'credits', balance, images, languages, format, required, shortfall, canAfford })
      else {
        cli.terminal.out(
          `${countText(images, 'picture')} with ${countText(languages, 'language')}, converted to ${format}: ${countText(required, 'credit')}`,
        )
        cli.terminal.out(
          `Balance: ${countText(balance, 'credit')}${canAfford ? `, ${balance - required} left after that` : ''}`,
        )
        if (!canAfford) cli.terminal.out(`Missing: ${countText(shortfall, 'credit')}`)
      }
      return canAfford ? ExitCode.ok : ExitCode.credits
    })
  } finally {
    await wired.close()
  }
}

/**
 * Asks within the rate budget in the journal. While another Hangar uses the data folder, one to three free calls are made without
 * the budget; the other Hangar adapts if the service answers 429.
 */
async function withAnswers(wired: Wired, work: (answers: CreditAnswers) => Promise<ExitCode>): Promise<ExitCode> {
  try {
    const engine = await wired.startEngine({ scope: 'none', watch: false })
    try {
      return await work({
        balance: async () => (await orThrow(engine.call('credits.balance', {}))).balance,
        afford: (question) => orThrow(engine.call('credits.afford', question)),
      })
    } finally {
      await engine.stop(0)
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data_folder_in_use') throw error
    return work(directAnswers(wired))
  }
}

function directAnswers({ http, practice, services, secrets, settings }: Wired): CreditAnswers {
  const origin = services.image?.origin
  const service: ImageService = createImageService({
    http,
    clock: realClock,
    settings,
    baseUrl: practice?.imageBaseUrl ?? services.image!.baseUrl,
    key: async () => practice?.apiKey ?? (origin === undefined ? null : secrets.get('image', origin)),
  })
  const options = () => ({
    slot: { answered: () => undefined, rateLimited: () => undefined },
    signal: NEVER_STOPPED,
  })
  return {
    balance: async () => valueOf(await service.balance(options()), 'image'),
    afford: async ({ images, languages, format }) => {
      const plan = affordPlan([{ operation: 'process', languageCount: languages, format, images }])
      const answers: Affordability[] = []
      for (const { question } of plan.questions)
        answers.push(valueOf(await service.afford(question, options()), 'image'))
      const { required, balance, shortfall } = batchPrice(plan, answers)!
      return { required, balance, shortfall, canAfford: shortfall === 0 }
    },
  }
}
