import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import type { Background } from '../../shared/background.ts'
import { AppError } from '../../shared/errors.ts'
import { ExitCode } from '../../shared/exit-codes.ts'
import type { Settings } from '../../shared/settings.ts'
import { callEngine } from '../call-engine.ts'
import { forkChild } from '../fork-child.ts'
import { realClock } from '../real-clock.ts'
import type { App } from '../ui/start-app.ts'
import type { WebShell } from '../web.ts'
import type { Cli } from './cli-context.ts'
import { chooseDataDir } from './data-dir.ts'
import { isInForeground } from './foreground.ts'
import { leaveLinkForServer, runningServer } from './link-for-server.ts'
import {
  addCommonOptions,
  addImageServiceOptions,
  addRateOption,
  settingsOverrides,
  type ServiceFlags,
} from './options.ts'
import { wholeNumber } from './parse-options.ts'

const GRACE_MS = 30_000

interface ServeFlags extends ServiceFlags {
  port?: number
  open?: boolean
  link?: boolean
  requestsPerMinute?: number
}

export function addServeCommand(program: Command, cli: Cli, finish: (code: ExitCode) => void): void {
  const command = program
    .command('serve')
    .summary('the same Hangar as a page for a browser, until stopped')
    .description(
      'Shows Hangar in a browser of this computer and watches the remembered folders. It answers on 127.0.0.1 only; from elsewhere use a tunnel: ssh -L 4780:127.0.0.1:4780 HOST. Until an address and a key are entered it uses a practice service. SIGINT or SIGTERM stops it.',
    )
    .option('--port <n>', 'the port (4780, or the next that is free); 0 takes any', wholeNumber(0, 65_535))
    .option('--open', 'open the page in the browser')
    .option('--link', 'print a fresh link for the server that runs already, and end')
    .addHelpText(
      'after',
      `
Examples:
  hangar serve                 prints a link that signs a browser in, once, within a minute; Enter prints another
  hangar serve --link          the same for a server that runs elsewhere on this data folder
  hangar serve --practice      try it out, whatever services are set`,
    )
  addCommonOptions(addRateOption(addImageServiceOptions(command).addOption(chargerUrl())))
  command.action(async (flags: ServeFlags) => finish(await (flags.link === true ? printLink : serve)(cli, flags)))
}

/** `--practice`, which stands for both services, comes with the image service's options. */
function chargerUrl(): Option {
  return new Option('--charger-url <url>', 'the charger service, its address has no /api/v1; or HANGAR_CHARGER_URL')
    .conflicts('practice')
    .helpGroup('Service:')
}

async function printLink(cli: Cli, flags: ServeFlags): Promise<ExitCode> {
  const url = await leaveLinkForServer(chooseDataDir(flags.dataDir, cli.env))
  sayLink(cli, flags, url)
  return ExitCode.ok
}

async function serve(cli: Cli, flags: ServeFlags): Promise<ExitCode> {
  const stopped = new Promise<void>((resolve) => cli.onStop(resolve))
  const dataDir = chooseDataDir(flags.dataDir, cli.env)
  const app = await openApp(cli, flags, dataDir)
  try {
    for (const warning of app.warnings) cli.terminal.err(warning)
    // Loaded only here: no other command needs a web server.
    const { startWeb } = await import('../web.ts')
    const web = await startWeb({
      ...{ host: app.host, dataDir, clock: realClock, log: app.log, port: flags.port ?? null },
      inboxDir: async () => {
        const settings = await app.engine.call('settings.get', {})
        return settings.ok ? settings.value.inboxDir : null
      },
      onSignIn: () => cli.terminal.err('A browser signed in.'),
    })
    try {
      await announce(cli, flags, dataDir, web, app.host.background, await servicesInUse(app))
      await stopped
      cli.terminal.err('Stopping: answers to what was sent are awaited. Once more ends it at once.')
    } finally {
      await web.close()
    }
  } finally {
    await app.stop(GRACE_MS)
  }
  return ExitCode.ok
}

/** Throws `data_folder_in_use` with what to do about it: most often the server runs already. */
async function openApp(cli: Cli, flags: ServeFlags, dataDir: string): Promise<App> {
  const { startApp } = await import('../ui/start-app.ts')
  const overrides: Partial<Settings> = settingsOverrides(flags, cli.env)
  if (flags.practice === true) Object.assign(overrides, { imageBaseUrl: null, chargerBaseUrl: null })
  const { keys, warnings } = await cli.keys()
  for (const warning of warnings) cli.terminal.err(warning)
  // The command line has taken the keys out of its environment already.
  const env = {
    ...cli.env,
    ...(keys.image === undefined ? {} : { HANGAR_API_KEY: keys.image }),
    ...(keys.chargers === undefined ? {} : { HANGAR_CHARGER_TOKEN: keys.chargers }),
  }
  try {
    return await startApp({
      ...{ dataDir, child: forkChild, env, overrides },
      shell: (await import('../web/web-shell-port.ts')).webShellPort,
      locale: Intl.DateTimeFormat().resolvedOptions().locale,
      samplesDir: join((await import('../web.ts')).APP_DIR, 'resources', 'samples'),
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'data_folder_in_use') throw error
    const server = await runningServer(dataDir)
    if (server === null) throw error
    throw new AppError(
      'data_folder_in_use',
      `Hangar serves this data folder already, on port ${server.port}. A link for it: hangar serve --link.`,
      { cause: error },
    )
  }
}

/** Addresses; null for the practice service. */
interface ServicesInUse {
  imageService: string | null
  chargerService: string | null
}

async function servicesInUse({ engine }: App): Promise<ServicesInUse> {
  const { imageBaseUrl, chargerBaseUrl } = await callEngine(engine, 'settings.get', {})
  return { imageService: imageBaseUrl, chargerService: chargerBaseUrl }
}

/** Each service for itself: one may be a real one while practice stands for the other. */
function servicesText({ imageService, chargerService }: ServicesInUse): string[] {
  return [
    imageService === null
      ? 'Pictures go to the practice service: they stay on this computer, and nothing is charged.'
      : `Pictures are sent to ${imageService}.`,
    chargerService === null
      ? 'Chargers are samples of the practice service, not for navigation.'
      : `Chargers are asked of ${chargerService}.`,
  ]
}

async function announce(
  cli: Cli,
  flags: ServeFlags,
  dataDir: string,
  web: WebShell,
  background: Background,
  services: ServicesInUse,
): Promise<void> {
  const { terminal } = cli
  const url = web.newLink()
  const isOpened = flags.open === true && (await (await import('../web/open-browser.ts')).openBrowser(url))
  if (flags.json === true) terminal.json({ event: 'serving', url, port: web.port, dataDir, ...services })
  else {
    terminal.out(`Hangar is at http://127.0.0.1:${web.port}/ until Ctrl+C.`)
    for (const line of servicesText(services)) terminal.out(line)
    if (flags.open === true && !isOpened) terminal.err('No browser could be opened.')
    sayLink(cli, flags, url)
  }
  if (!terminal.inIsTty || !isInForeground()) return
  if (flags.json !== true) terminal.out('Enter prints another link.')
  createInterface({ input: process.stdin }).on('line', () =>
    background.run('sign_in_link', () => sayLink(cli, flags, web.newLink())),
  )
}

function sayLink({ terminal }: Cli, flags: ServeFlags, url: string): void {
  if (flags.json === true) return terminal.json({ event: 'link', url })
  terminal.out('Open this link within a minute; it works once:')
  terminal.out(`  ${url}`)
}
