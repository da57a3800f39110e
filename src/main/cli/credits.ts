import { Option, type Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { ConvertFormat } from '../../shared/recipes/recipe.ts'
import { imageBaseUrl } from '../services/base-url.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli } from './cli-context.ts'
import { addCommonOptions, addImageServiceOptions, type ServiceFlags } from './options.ts'
import { languageCount, wholeNumber } from './parse-options.ts'
import { requireImageService } from './require-service.ts'
import { withWired, type Wired } from './wire-command.ts'
import { withEngineOf, type Ask } from './with-engine.ts'

interface CreditsFlags extends ServiceFlags {
  images?: number
  languages: number
  format: ConvertFormat
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
  return withWired(cli, flags, async (wired) => {
    await requireImageService(wired)
    return await withEngineOf(wired, async (ask, isRunning) => {
      if (isRunning) await refuseOtherService(ask, wired)
      if (flags.images === undefined) {
        const { balance } = await ask('credits.balance', {})
        if (flags.json === true) cli.terminal.json({ event: 'credits', balance })
        else cli.terminal.out(countText(balance, 'credit'))
        return ExitCode.ok
      }
      const { images, languages, format } = flags
      const { required, balance, shortfall, canAfford } = await ask('credits.afford', {
        images,
        languages,
        format,
      })
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
  })
}

/** A running Hangar answers for the service that it uses. */
async function refuseOtherService(ask: Ask, { practice, services }: Wired): Promise<void> {
  const { imageBaseUrl: used } = await ask('settings.get', {})
  if (practice !== null || used === null || imageBaseUrl(used).origin !== services.image?.origin)
    throw new AppError('data_folder_in_use', say('data_folder_in_use'))
}
