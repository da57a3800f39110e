import { Argument, Option } from 'commander'
import { AppError } from '../../shared/sentences/errors.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { KeyedService } from '../../shared/runtime/ports.ts'
import { checkKey } from '../secrets/key.ts'
import { askYesNo, readSecret } from './ask.ts'
import type { Cli, CliCommand } from './command.ts'
import { keychainTrouble } from './services.ts'
import { withWired, type Wired } from './wire-command.ts'
import { NEVER_STOPPED } from './stopping.ts'
import { withEngineOf } from './with-engine.ts'

interface KeyFlags {
  sameAccount?: boolean
  otherAccount?: boolean
  keepRefused?: boolean
}

const WHICH: Record<KeyedService, { key: string; flag: string; variable: string }> = {
  image: { key: 'key of the image service', flag: '--service-url', variable: 'HANGAR_SERVICE_URL' },
  chargers: { key: 'token of the charger service', flag: '--charger-url', variable: 'HANGAR_CHARGER_URL' },
}

export function addKeyCommand(program: CliCommand, cli: Cli): void {
  const key = program
    .command('key')
    .summary('set, delete or look after the keys of the services')
    .description(
      'Keeps the keys of the two services in the keychain of this computer, one for each address. A key is typed in without being shown, or read from standard input; it is never taken from an argument and never shown again.',
    )
  const add = (name: string, description: string) =>
    key
      .command(name)
      .description(description)
      .addArgument(new Argument('<service>', 'whose key').choices(['image', 'chargers']))
  const addresses = (command: CliCommand) =>
    command
      .option('--service-url <url>', 'the image service that it is for; remembered')
      .option('--charger-url <url>', 'the charger service that it is for; remembered')
  addresses(
    add(
      'set',
      'Tries a key, read from standard input or typed in, with one free call and stores it. One that the service refuses is not stored; one that cannot be tried now is.',
    )
      .addOption(
        new Option('--same-account', 'it is a new key of the same account: what is in flight goes on').conflicts(
          'otherAccount',
        ),
      )
      .option('--other-account', 'it is the key of another account: what is in flight waits for the old one')
      .option('--keep-refused', 'store the key also when the service refuses it'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  hangar key set image --service-url https://images.example.com/api/v1 < key.txt',
    )
    .action((name: KeyedService, flags: KeyFlags) => setKey(cli, name, flags))
  addresses(add('delete', 'Deletes a key from the keychain.')).action((name: KeyedService) => deleteKey(cli, name))
  addresses(add('status', 'Shows whether there is a key, and where it is kept.')).action((name: KeyedService) =>
    keyStatus(cli, name),
  )
}

function neededOrigin({ services }: Wired, name: KeyedService): string {
  const origin = services[name]?.origin
  if (origin !== undefined) return origin
  const { flag, variable } = WHICH[name]
  throw new AppError('bad_request', say('cli_key_needs_address', { flag, variable }))
}

function setKey(cli: Cli, name: KeyedService, flags: KeyFlags): Promise<void> {
  return withWired(cli, async (wired) => {
    const origin = neededOrigin(wired, name)
    const { key: what } = WHICH[name]
    const before = await wired.secrets.get(name, origin)
    const { place, because } = await wired.secrets.describe(name, origin)
    if (place === 'environment') throw new AppError('bad_request', say('given_at_start'))
    if (place !== 'keychain')
      throw new AppError('secret_store_unavailable', say('cli_key_cannot_be_kept', { why: keychainTrouble(because) }))
    const key = checkKey(await readSecret(`The ${what} for ${origin} (not shown): `), say('key_named'))
    const isReplaced = name === 'image' && before !== null && before !== key
    const sameAccount = isReplaced ? await isSameAccount(cli, flags) : null
    const address = wired.services[name]!.baseUrl
    const keepRefused = flags.keepRefused ?? false
    const { check, problem } = await withEngineOf(wired, (ask) =>
      ask('keys.set', { name, key, sameAccount, address, use: true, keepRefused }),
    ).catch((error: unknown) => {
      const isRefused = error instanceof AppError && error.code === 'key_refused'
      throw isRefused ? new AppError('key_refused', say('cli_key_refused', { origin, key: what })) : error
    })
    // A Hangar that runs may have no keychain, and keep it until it ends.
    await wired.secrets.set(name, origin, key)
    cli.terminal.json({ event: 'key', name, origin, present: true, place, check })
    cli.terminal.out(`The ${what} is in the keychain, for ${origin}.`)
    if (check === 'refused') cli.terminal.err('The service refused it.')
    if (check === 'unchecked')
      cli.terminal.err(`It is not checked yet.${problem === null ? '' : ` ${englishText(problem.sentence)}`}`)
  })
}

/** Null if nobody says: jobs in flight then go on if the service knows them under the new key, and wait otherwise. */
async function isSameAccount(cli: Cli, flags: KeyFlags): Promise<boolean | null> {
  if (flags.sameAccount === true) return true
  if (flags.otherAccount === true) return false
  if (!cli.terminal.inIsTty || !cli.terminal.errIsTty) {
    cli.terminal.err(
      'Whether it is the same account was not said (--same-account, --other-account): what is in flight waits if it is not.',
    )
    return null
  }
  return askYesNo('There was another key. Is the new one of the same account?', NEVER_STOPPED)
}

function deleteKey(cli: Cli, name: KeyedService): Promise<void> {
  return withWired(cli, async (wired) => {
    const origin = neededOrigin(wired, name)
    const { key: what } = WHICH[name]
    const was = await wired.secrets.get(name, origin)
    await wired.secrets.delete(name, origin)
    await withEngineOf(wired, (ask) => ask('keys.delete', { name, address: origin }))
    const { place } = await wired.secrets.describe(name, origin)
    cli.terminal.json({ event: 'key', name, origin, present: false, place })
    cli.terminal.out(was === null ? `There was no ${what} for ${origin}.` : `The ${what} for ${origin} is deleted.`)
  })
}

function keyStatus(cli: Cli, name: KeyedService): Promise<ExitCode> {
  return withWired(cli, async (wired) => {
    const { terminal } = cli
    const origin = wired.services[name]?.origin ?? null
    if (origin === null) {
      terminal.json({ event: 'key', name, origin, present: false })
      terminal.out(`No address is set for the ${name === 'image' ? 'image service' : 'charger service'}.`)
      return ExitCode.key
    }
    const present = (await wired.secrets.get(name, origin)) !== null
    const { place, because } = await wired.secrets.describe(name, origin)
    const lasting = place === 'keychain'
    terminal.json({ event: 'key', name, origin, present, place, lasting, because })
    terminal.out(`There is ${present ? 'a' : 'no'} ${WHICH[name].key} for ${origin}${present ? ` (${place})` : ''}.`)
    if (because !== null && !terminal.isJson) terminal.err(`Keys are not kept here: ${keychainTrouble(because)}`)
    return present ? ExitCode.ok : ExitCode.key
  })
}
