import { Argument, Option, type Command } from 'commander'
import { z } from 'zod'
import { AppError, toAppError } from '../../shared/sentences/errors.ts'
import { englishText } from '../../shared/sentences/english-text.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import type { KeyedService } from '../../shared/runtime/ports.ts'
import { accountOf, nameAccount } from '../journal/accounts.ts'
import { prepareDataFolder } from '../journal/data-folder.ts'
import { Documents } from '../journal/documents.ts'
import { openJournal, type Db } from '../journal/journal.ts'
import { realClock } from '../engine/real-clock.ts'
import { changeSettings } from '../engine/settings-store.ts'
import { tryKey, type KeyTrial } from '../engine/calls/try-key.ts'
import { checkKey } from '../secrets/check-key.ts'
import { keyFingerprint } from '../secrets/key-fingerprint.ts'
import { askYesNo, readSecret } from './ask.ts'
import type { Cli } from './cli-context.ts'
import { keychainTrouble } from './require-service.ts'
import { addCommonOptions, type CommonFlags } from './options.ts'
import { withWired, type Wired } from './wire-command.ts'
import { NEVER_STOPPED } from './stopping.ts'
import { withRunningEngine } from './with-engine.ts'

interface KeyFlags extends CommonFlags {
  serviceUrl?: string
  chargerUrl?: string
  sameAccount?: boolean
  otherAccount?: boolean
  keepRefused?: boolean
}

type Finish = (code: ExitCode) => void
const WHICH: Record<KeyedService, { key: string; flag: string; variable: string }> = {
  image: { key: 'key of the image service', flag: '--service-url', variable: 'HANGAR_SERVICE_URL' },
  chargers: { key: 'token of the charger service', flag: '--charger-url', variable: 'HANGAR_CHARGER_URL' },
}

export function addKeyCommand(program: Command, cli: Cli, finish: Finish): void {
  const key = program
    .command('key')
    .summary('set, delete or look after the keys of the services')
    .description(
      'Keeps the keys of the two services in the keychain of this computer, one for each address. A key is typed in without being shown, or read from standard input; it is never taken from an argument and never shown again.',
    )
  const which = () => new Argument('<service>', 'whose key').choices(['image', 'chargers'])
  const withAddress = (command: Command) =>
    addCommonOptions(command)
      .addOption(new Option('--service-url <url>', 'the image service that it is for; remembered'))
      .addOption(new Option('--charger-url <url>', 'the charger service that it is for; remembered'))
  withAddress(
    key
      .command('set')
      .description(
        'Tries a key, read from standard input or typed in, with one free call and stores it. One that the service refuses is not stored; one that cannot be tried now is.',
      )
      .addArgument(which())
      .addOption(
        new Option('--same-account', 'it is a new key of the same account: what is in flight goes on').conflicts(
          'otherAccount',
        ),
      )
      .addOption(
        new Option('--other-account', 'it is the key of another account: what is in flight waits for the old one'),
      )
      .option('--keep-refused', 'store the key also when the service refuses it')
      .addHelpText(
        'after',
        '\nExample:\n  hangar key set image --service-url https://images.example.com/api/v1 < key.txt',
      ),
  ).action(async (name: KeyedService, flags: KeyFlags) => finish(await setKey(cli, name, flags)))
  withAddress(key.command('delete').description('Deletes a key from the keychain.').addArgument(which())).action(
    async (name: KeyedService, flags: KeyFlags) => finish(await deleteKey(cli, name, flags)),
  )
  withAddress(
    key.command('status').description('Says whether there is a key, and where it is kept.').addArgument(which()),
  ).action(async (name: KeyedService, flags: KeyFlags) => finish(await keyStatus(cli, name, flags)))
}

function neededOrigin({ services }: Wired, name: KeyedService): string {
  const origin = services[name]?.origin
  if (origin !== undefined) return origin
  const { flag, variable } = WHICH[name]
  throw new AppError('bad_request', say('cli_key_needs_address', { flag, variable }))
}

function setKey(cli: Cli, name: KeyedService, flags: KeyFlags): Promise<ExitCode> {
  return withWired(cli, flags, async (wired) => {
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
    const { check, problem } = await tryIt(wired, name, key)
    if (check === 'refused' && flags.keepRefused !== true)
      throw new AppError('key_refused', say('cli_key_refused', { origin, key: what }))
    await wired.secrets.set(name, origin, key)
    await noteChange(cli, wired, (db) => {
      rememberAddress(db, wired, name)
      if (sameAccount === true && before !== null) nameSameAccount(db, origin, before, key)
    })
    if (flags.json === true) cli.terminal.json({ event: 'key', name, origin, present: true, place, check })
    else cli.terminal.out(`The ${what} is in the keychain, for ${origin}.`)
    if (check === 'refused') cli.terminal.err('The service refused it.')
    if (check === 'unchecked')
      cli.terminal.err(`It is not checked yet.${problem === null ? '' : ` ${englishText(problem.sentence)}`}`)
    return ExitCode.ok
  })
}

/** One free call outside the rate budget, which a running engine may own; that engine adapts to a 429. */
function tryIt({ services, http, settings }: Wired, name: KeyedService, key: string): Promise<KeyTrial> {
  return tryKey(name, key, {
    http,
    clock: realClock,
    settings,
    baseUrl: services[name]!.baseUrl,
    takeSlot: async () => ({ answered: () => undefined, rateLimited: () => undefined }),
    stopping: NEVER_STOPPED,
  })
}

/** Null if the person does not say: jobs in flight then continue if the service knows them under the new key, and wait otherwise. */
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

function deleteKey(cli: Cli, name: KeyedService, flags: KeyFlags): Promise<ExitCode> {
  return withWired(cli, flags, async (wired) => {
    const origin = neededOrigin(wired, name)
    const was = await wired.secrets.get(name, origin)
    await wired.secrets.delete(name, origin)
    await noteChange(cli, wired, () => undefined)
    if (flags.json === true)
      cli.terminal.json({
        event: 'key',
        name,
        origin,
        present: false,
        place: (await wired.secrets.describe(name, origin)).place,
      })
    else
      cli.terminal.out(
        was === null
          ? `There was no ${WHICH[name].key} for ${origin}.`
          : `The ${WHICH[name].key} for ${origin} is deleted.`,
      )
    return ExitCode.ok
  })
}

function keyStatus(cli: Cli, name: KeyedService, flags: KeyFlags): Promise<ExitCode> {
  return withWired(cli, flags, async (wired) => {
    const { terminal } = cli
    const origin = wired.services[name]?.origin ?? null
    if (origin === null) {
      if (flags.json === true) terminal.json({ event: 'key', name, origin, present: false })
      else terminal.out(`No address is set for the ${name === 'image' ? 'image service' : 'charger service'}.`)
      return ExitCode.key
    }
    const present = (await wired.secrets.get(name, origin)) !== null
    const { place, because } = await wired.secrets.describe(name, origin)
    const lasting = place === 'keychain'
    if (flags.json === true) terminal.json({ event: 'key', name, origin, present, place, lasting, because })
    else {
      terminal.out(`There is ${present ? 'a' : 'no'} ${WHICH[name].key} for ${origin}${present ? ` (${place})` : ''}.`)
      if (because !== null) terminal.err(`Keys are not kept here: ${keychainTrouble(because)}`)
    }
    return present ? ExitCode.ok : ExitCode.key
  })
}

/** Changes the journal, which another process may have open, and makes a running engine read its keys again; says so if it cannot. */
export async function noteChange({ terminal }: Cli, { dataDir }: Wired, change: (db: Db) => void): Promise<void> {
  await prepareDataFolder(dataDir)
  const db = openJournal(dataDir)
  try {
    change(db)
  } finally {
    db.close()
  }
  try {
    await withRunningEngine(dataDir, (ask) => ask('keys.readAgain', {}))
  } catch (error) {
    terminal.err(`The running Hangar did not take it over yet: ${toAppError(error).message}`)
  }
}

/** Stores the address that a key was set for as the one in use. */
function rememberAddress(db: Db, { services }: Wired, name: KeyedService): void {
  const baseUrl = services[name]?.baseUrl ?? null
  changeSettings(db, (stored) => ({
    ...stored,
    ...(name === 'image' ? { imageBaseUrl: baseUrl } : { chargerBaseUrl: baseUrl }),
  }))
}

/** Records the new key under the account of the old one, so that jobs in flight are polled with it. */
function nameSameAccount(db: Db, origin: string, before: string, key: string): void {
  const salt = new Documents(db, () => realClock.nowMs()).get('salt', 'fingerprint', z.string().min(16))
  if (salt === null) return
  const account = accountOf(db, origin, keyFingerprint(salt, before))
  if (account !== null) nameAccount(db, origin, keyFingerprint(salt, key), account)
}
