import { AppError } from '../../shared/sentences/errors.ts'
import { say } from '../../shared/sentences/sentence.ts'
import { ExitCode } from '../../shared/runtime/exit-codes.ts'
import { countText } from '../core/english-figures.ts'
import type { Cli, CliCommand } from './command.ts'
import { withEngine, type Ask } from './with-engine.ts'

interface QueueFlags {
  all?: boolean
}

interface ResolveFlags extends QueueFlags {
  resend?: boolean
  drop?: boolean
  fetchAgain?: boolean
  askAgain?: boolean
}

/** Commands about jobs in the journal: `retry`, `resolve`, `cancel`, `confirm`, `pause` and `resume`. */
// oxlint-disable-next-line max-lines-per-function -- a list of commands, in the order of the help
export function addQueueCommands(program: CliCommand, cli: Cli): void {
  program
    .command('retry')
    .summary('try failed, held or cancelled pictures again')
    .description(
      'Tries pictures again that failed, are held or were cancelled. One that the service had taken may be charged again. The work is done by the next run or watch, or at once by a Hangar that is running.',
    )
    .argument(IDS, ID_HELP)
    .option('--all', 'every picture that failed or is held')
    .action((given: string[], flags: QueueFlags) =>
      changeJobs(cli, given, flags, (ask, named) => ask('jobs.retry', named), { goesOn: true }),
    )
  program
    .command('resolve')
    .summary('decide about pictures whose outcome is not known')
    .description(
      'Decides about pictures that may or may not have been charged, because the answer was lost. They are sent again only if you say so.',
    )
    .argument(IDS, ID_HELP)
    .option('--all', 'all unknown ones; with --fetch-again, failed ones')
    .option('--resend', 'send again; it may be charged twice')
    .option('--drop', 'do not send it again')
    .option('--ask-again', 'ask the service about it once more; free')
    .option('--fetch-again', 'download its result once more; free')
    .action(async (given: string[], flags: ResolveFlags) => {
      const how = howOf(flags)
      const decide: ChangeJobs = (ask, named) => ask('jobs.resolve', { ...named, how })
      return changeJobs(cli, given, flags, decide, { goesOn: true })
    })
  program
    .command('cancel')
    .summary('cancel pictures; what was sent stays charged')
    .description('Cancels pictures that are not done yet. One that was sent already stays charged; its result is kept.')
    .argument(IDS, ID_HELP)
    .option('--all', 'every picture that is not done yet')
    .option('--away', 'instead: give up what waits for a drive that is not there; "hangar status" lists it')
    .action((given: string[], flags: QueueFlags & { away?: boolean }) =>
      flags.away === true
        ? stopWaiting(cli, given, flags)
        : changeJobs(cli, given, flags, (ask, named) => ask('jobs.cancel', named), { goesOn: false }),
    )
  program
    .command('confirm')
    .summary('approve pictures that wait because there are many')
    .description(
      'Approves the cost of pictures that wait for approval: a watch holds back large bursts of new pictures (--ask-above). Caps that you set yourself still hold.',
    )
    .argument(IDS, `${ID_HELP}; each stands for all that came with it`)
    .option('--all', 'everything that waits for approval')
    .action((given: string[], flags: QueueFlags) => confirmSpend(cli, given, flags))
  program
    .command('pause')
    .summary('send nothing more for now')
    .description('Sends nothing more, now and in later watches; the results of what was sent are still fetched.')
    .action(() => commandQueue(cli, 'pause', 'Sending is paused, except by "hangar run"; "hangar resume" resumes it.'))
  program
    .command('resume')
    .summary('resume sending after a pause')
    .description('Resumes sending after a pause.')
    .action(() => commandQueue(cli, 'resume', 'Sending goes on.'))
}

const IDS = '[id...]'
const ID_HELP = 'ids as "hangar jobs" shows them'

const HOW = { resend: 'resend', drop: 'drop', askAgain: 'ask_again', fetchAgain: 'fetch_again' } as const

function howOf(flags: ResolveFlags) {
  const [flag, ...others] = (Object.keys(HOW) as (keyof typeof HOW)[]).filter((name) => flags[name] === true)
  if (flag === undefined || others.length > 0) throw new AppError('bad_request', say('cli_say_how'))
  return HOW[flag]
}

type ChangeJobs = (ask: Ask, named: { ids: string[]; all: boolean }) => Promise<{ changed: number }>

/** `goesOn`: the next run or watch has to do with the jobs. */
async function changeJobs(
  cli: Cli,
  given: string[],
  flags: QueueFlags,
  change: ChangeJobs,
  { goesOn }: { goesOn: boolean },
): Promise<ExitCode> {
  const { ids, all } = namedJobs(given, flags)
  const { changed, isRunning } = await withEngine(cli, async (ask, isRunning) => ({
    ...(await change(ask, { ids, all })),
    isRunning,
  }))
  const skipped = all ? 0 : ids.length - changed
  const later = goesOn && changed > 0 && !isRunning ? ' The next run or watch goes on with them.' : ''
  report(cli, { changed }, `${countText(changed, 'picture')} changed.${later}`)
  if (skipped > 0)
    cli.terminal.err(`${countText(skipped, 'picture')} did not allow this: "hangar jobs" shows what each allows.`)
  return skipped > 0 ? ExitCode.someNotDone : ExitCode.ok
}

/** Throws `bad_request` unless exactly one of ids and `--all` was given. */
function namedJobs(given: string[], { all = false }: QueueFlags): { ids: string[]; all: boolean } {
  if (all === given.length > 0) throw new AppError('bad_request', say('cli_name_pictures'))
  return { ids: [...new Set(given.map((id) => id.toUpperCase()))], all }
}

async function confirmSpend(cli: Cli, given: string[], flags: QueueFlags): Promise<void> {
  const { ids, all } = namedJobs(given, flags)
  return withEngine(cli, async (ask, isRunning) => {
    const { confirmations } = await ask('batches.waiting', {})
    const named = all ? [] : (await ask('jobs.get', { ids })).jobs
    const unknown = ids.find((id) => !named.some((job) => job.id === id))
    if (unknown !== undefined) throw new AppError('bad_request', say('cli_no_such_pictures', { ids: unknown }))
    const covered = confirmations.filter((one) => all || named.some(({ batchId }) => batchId === one.batchId))
    for (const { batchId } of covered) await ask('batches.confirm', { id: batchId })
    const changed = covered.reduce((sum, { held }) => sum + held, 0)
    const later = isRunning ? '' : ' The next watch goes on with them.'
    const allowed = `${countText(changed, 'picture')} may be sent, within the caps.${later}`
    const words = changed === 0 ? 'No picture waits for this.' : allowed
    report(cli, { changed }, words)
  })
}

async function stopWaiting(cli: Cli, given: string[], flags: QueueFlags): Promise<void> {
  if (given.length > 0 || flags.all === true) throw new AppError('bad_request', say('cli_away_alone'))
  const { changed } = await withEngine(cli, (ask) => ask('batches.stopWaiting', { id: null }))
  const words = changed === 0 ? 'Nothing waits for a drive.' : `${countText(changed, 'batch', 'batches')} given up.`
  report(cli, { changed }, words)
}

async function commandQueue(cli: Cli, kind: 'pause' | 'resume', words: string): Promise<void> {
  await withEngine(cli, (ask) => ask(`queue.${kind}`, {}))
  report(cli, { paused: kind === 'pause' }, words)
}

function report({ terminal }: Cli, facts: object, words: string): void {
  terminal.json({ event: 'command', ...facts })
  terminal.out(words)
}
