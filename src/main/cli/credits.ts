import { Option } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { PRACTICE_SERVICE, type ConvertFormat } from '../../shared/recipes/recipe.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { languageCount, wholeNumber } from './parse-options.ts'
import { requireImageService } from './services.ts'
import { withWired, type Wired } from './wire-command.ts'
import { withEngineOf, type Ask } from './with-engine.ts'
import { valueOf } from '../engine/calls/ask-service.ts'
import { realClock } from '../engine/real-clock.ts'
import { createImageService } from '../services/image-service.ts'
import { columns } from './figures.ts'
import { NEVER_STOPPED } from './stopping.ts'

interface CreditsFlags {
  images?: number
  languages: number
  format: ConvertFormat
}

export function addCreditsCommand(program: CliCommand, cli: Cli): void {
  program
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
    .imageServiceOptions()
    .action((flags: CreditsFlags) => showCredits(cli, flags))
}

async function showCredits(cli: Cli, flags: CreditsFlags): Promise<ExitCode> {
  return withWired(cli, async (wired) => {
    await requireImageService(wired)
    return await withEngineOf(wired, async (ask, isRunning) => {
      if (isRunning) await refuseOtherService(ask, wired)
      if (flags.images === undefined) {
        const { balance } = await ask('credits.balance', {})
        cli.terminal.json({ event: 'credits', balance })
        cli.terminal.out(countText(balance, 'credit'))
        return ExitCode.ok
      }
      const { images, languages, format } = flags
      const { required, balance, shortfall, canAfford } = await ask('credits.afford', { images, languages, format })
      cli.terminal.json({ event: 'credits', balance, images, languages, format, required, shortfall, canAfford })
      cli.terminal.out(
        `${countText(images, 'picture')} with ${countText(languages, 'language')}, converted to ${format}: ${countText(required, 'credit')}`,
      )
      cli.terminal.out(
        `Balance: ${countText(balance, 'credit')}${canAfford ? `, ${balance - required} left after that` : ''}`,
      )
      if (!canAfford) cli.terminal.out(`Missing: ${countText(shortfall, 'credit')}`)
      return canAfford ? ExitCode.ok : ExitCode.credits
    })
  })
}

/** A running Hangar answers for the service that it uses. */
export async function refuseOtherService(ask: Ask, { practice, services }: Wired): Promise<void> {
  const wanted = practice === null ? services.image?.origin : PRACTICE_SERVICE
  if ((await ask('queue.status', {})).service?.serviceId !== wanted)
    throw new AppError('data_folder_in_use', say('cli_other_service'))
}

export function addLanguagesCommand(program: CliCommand, cli: Cli): void {
  program
    .command('languages')
    .summary('the languages the service writes alt text in')
    .description('Lists the languages that the image service writes file names and alt text in. Needs no key.')
    .imageServiceOptions()
    .action(() => listLanguages(cli))
}

async function listLanguages(cli: Cli): Promise<void> {
  return withWired(cli, async (wired) => {
    const baseUrl = wired.practice?.imageBaseUrl ?? wired.services.image?.baseUrl
    if (baseUrl === undefined) throw new AppError('key_missing', say('cli_no_image_service'))
    const { http, settings } = wired
    const service = createImageService({ http, clock: realClock, baseUrl, settings, key: () => null })
    const languages = valueOf(await service.languages({ signal: NEVER_STOPPED }))
    for (const { code, name, nativeName } of languages) cli.terminal.json({ event: 'language', code, name, nativeName })
    const rows = languages.map(({ code, name, nativeName }) => [code, name, nativeName])
    for (const line of columns(rows)) cli.terminal.out(line)
  })
}
