import type { Command } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { valueOf } from '../engine/calls/ask-service.ts'
import { realClock } from '../engine/real-clock.ts'
import { createImageService } from '../services/image-service.ts'
import type { Cli } from './cli-context.ts'
import { columns } from './figures.ts'
import { addCommonOptions, addImageServiceOptions, type ServiceFlags } from './options.ts'
import { withWired } from './wire-command.ts'
import { NEVER_STOPPED } from './stopping.ts'

export function addLanguagesCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('languages')
    .summary('the languages the service writes alt text in')
    .description('Lists the languages that the image service writes file names and alt text in. Needs no key.')
  addCommonOptions(addImageServiceOptions(command)).action(async (flags: ServiceFlags) =>
    finish(await listLanguages(cli, flags)),
  )
}

async function listLanguages(cli: Cli, flags: ServiceFlags): Promise<ExitCode> {
  return withWired(cli, flags, async (wired) => {
    const baseUrl = wired.practice?.imageBaseUrl ?? wired.services.image?.baseUrl
    if (baseUrl === undefined) throw new AppError('key_missing', say('cli_no_image_service'))
    const service = createImageService({
      http: wired.http,
      clock: realClock,
      baseUrl,
      settings: wired.settings,
      key: () => null,
    })
    const languages = valueOf(await service.languages({ signal: NEVER_STOPPED }))
    if (flags.json === true)
      for (const { code, name, nativeName } of languages)
        cli.terminal.json({ event: 'language', code, name, nativeName })
    else
      for (const line of columns(languages.map(({ code, name, nativeName }) => [code, name, nativeName])))
        cli.terminal.out(line)
    return ExitCode.ok
  })
}
